// SPDX-License-Identifier: MIT
//
// Real-time unit: a scheduler for several nodes in hardware. It keeps the ready queues of all
// nodes, the semaphores and the delays; the nodes keep the registers and the stacks of their tasks.
//
// The interrupt rule. `current` is the task that a node runs as far as the node knows: `current`
// changes only at a call of that node, when the node gets the answer. The node's interrupt line is
// high exactly while the head of its ready queue is another task, or while the node runs no task
// and the queue has one. So a switch that another node or the tick causes cannot be lost, and no
// switch is requested twice.
//
// Calls come one at a time, from the bus. A call is answered 2 cycles after it comes, 3 if it moves
// a task. Between calls the unit wakes tasks that are due; a call may have to wait 2 cycles for
// that.
//
// `Stages` divides the long paths by registers, for a higher clock rate.
// 1: the tables are searched in the cycle before a call is decided, a task leaves its queue in a
// cycle of its own, and the heads of the queues are known one cycle before the answer. A call then
// takes 3 cycles, 4 if it creates or ends a task and 5 if it moves one; it may have to wait 4
// cycles for a wake-up.
// 2: each of these steps takes two cycles. In the first, all slots of the list are compared; in the
// second, the list changes or one slot is chosen. A call takes 5 cycles, 7 or 9; it may have to
// wait 7. A rotation that looks for tasks that are due takes twice the time.

`include "assertions.svh"

module rtu #(
  parameter int unsigned NumNodes = rtu_pkg::NumNodes,
  parameter int unsigned NumTasks = rtu_pkg::NumTasks,
  parameter int unsigned NumSemaphores = rtu_pkg::NumSemaphores,
  parameter int unsigned PriorityWidth = rtu_pkg::PriorityWidth,
  parameter int unsigned CountWidth = rtu_pkg::CountWidth,
  parameter int unsigned TimeWidth = rtu_pkg::TimeWidth,
  parameter int unsigned TickUnit = rtu_pkg::TickUnit,
  parameter int unsigned NodeWidth = 2,
  parameter int unsigned ArgumentWidth = rtu_pkg::ArgumentWidth,
  parameter int unsigned Stages = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  // A call. The request stays unchanged until `ack_o`, in whose cycle the answer is valid. Then the
  // request is low for at least one cycle, in which the unit can wake a task that is due.
  input  logic                     req_i,
  input  logic [NodeWidth-1:0]     node_i,
  input  logic [3:0]               op_i,
  input  logic [ArgumentWidth-1:0] argument_i,
  output logic                     ack_o,
  output logic [31:0]              answer_o,

  output logic [NumNodes-1:0] irq_o
);

  localparam bit Pipelined = Stages > 0;
  localparam bit Deep = Stages > 1;
  localparam int unsigned IdWidth = $clog2(NumTasks);
  localparam int unsigned SemaphoreWidth = $clog2(NumSemaphores);
  localparam int unsigned NumberWidth = SemaphoreWidth > NodeWidth ? SemaphoreWidth : NodeWidth;
  localparam int unsigned TagWidth = rtu_pkg::KindWidth + NumberWidth;

  typedef enum logic [2:0] {
    Idle,    // a call may come; a task that is due leaves its queue
    Decide,  // a call changes tables and takes a task out of its queue
    Insert,  // a task enters its queue
    Settle,  // the heads of the ready queues are known again; a call is answered
    Remove,  // only if Pipelined: a task leaves its queue, not in Idle or Decide
    Answer   // only if Pipelined: a call is answered, not in Settle
  } state_e;

  localparam state_e Last = Pipelined ? Answer : Settle;

  state_e state_q, state_d;
  logic   second_q;  // only if Deep: the second cycle of a step
  logic   has_two;   // … this step has a second cycle
  logic   step;      // the last cycle of a step
  logic   calling_q;  // a call moves the task, not the tick
  logic   put_in_q, same_queue_q;

  // The queues.
  logic                              insert, remove;
  logic [IdWidth-1:0]                moving_q, moving_d;
  logic [TagWidth-1:0]               tag_q, tag_d, removed_tag;
  logic [PriorityWidth-1:0]          own_priority, insert_priority;
  logic [NumTasks-1:0]               slot_valid;
  logic [NumTasks*IdWidth-1:0]       slot_id;
  logic [NumTasks*TagWidth-1:0]      slot_tag;

  // The results of the call.
  rtu_pkg::error_e          error, error_q;
  rtu_pkg::kind_e           kind;
  logic                     adopt, take_out, put_in, same_queue;
  logic [IdWidth-1:0]       subject;
  logic [NumberWidth-1:0]   number;
  logic                     create, exit, set_priority, delay, set_period;
  logic                     decrement, increment, set_count;
  logic [PriorityWidth-1:0] priority_argument;
  logic [CountWidth-1:0]    count_argument;
  logic                     adopt_q;

  // The tables.
  logic                 free, empty, full, due, wake, waiter;
  logic [IdWidth-1:0]   free_id, due_id, waiter_id, created_q, removed_id;
  // As the searches of the tables find them. If Pipelined, the others follow one cycle later.
  logic                 found_free, found_empty, found_full, found_waiter;
  logic [IdWidth-1:0]   found_free_id, found_waiter_id;
  logic [NodeWidth-1:0] subject_node;
  logic [NumTasks-1:0]  used, delayed;

  // Node n is at [n * width +: width].
  logic [NumNodes-1:0]         head_valid_q, head_valid, current_valid_q;
  logic [NumNodes*IdWidth-1:0] head_q, head, current_q;
  logic [NumNodes-1:0]         found_head_valid;
  logic [NumNodes*IdWidth-1:0] found_head;
  logic                        caller_valid, next_valid;
  logic [IdWidth-1:0]          caller_current, next;

  assign caller_valid = current_valid_q[node_i];
  assign caller_current = current_q[node_i*IdWidth+:IdWidth];

  rtu_decide #(
    .NumTasks(NumTasks),
    .NumSemaphores(NumSemaphores),
    .IdWidth(IdWidth),
    .NodeWidth(NodeWidth),
    .NumberWidth(NumberWidth),
    .PriorityWidth(PriorityWidth),
    .CountWidth(CountWidth),
    .ArgumentWidth(ArgumentWidth),
    .Pipelined(Pipelined)
  ) u_decide (
    .clk_i,
    .rst_ni,
    .apply_i(state_q == Decide && step),
    .op_i,
    .argument_i,
    .node_i,
    .current_valid_i(caller_valid),
    .current_i(caller_current),
    .free_i(free),
    .free_id_i(free_id),
    .used_i(used),
    .waiter_i(waiter),
    .waiter_id_i(waiter_id),
    .waiter_node_i(subject_node),
    .empty_i(empty),
    .full_i(full),
    .error_o(error),
    .adopt_o(adopt),
    .take_out_o(take_out),
    .put_in_o(put_in),
    .task_o(subject),
    .same_queue_o(same_queue),
    .kind_o(kind),
    .number_o(number),
    .create_o(create),
    .exit_o(exit),
    .set_priority_o(set_priority),
    .decrement_o(decrement),
    .increment_o(increment),
    .set_count_o(set_count),
    .delay_o(delay),
    .set_period_o(set_period),
    .priority_o(priority_argument),
    .count_o(count_argument)
  );

  rtu_tasks #(
    .NumTasks(NumTasks),
    .IdWidth(IdWidth),
    .NodeWidth(NodeWidth),
    .PriorityWidth(PriorityWidth),
    .Deep(Deep)
  ) u_tasks (
    .clk_i,
    .rst_ni,
    .free_o(found_free),
    .free_id_o(found_free_id),
    .create_i(create),
    .create_node_i(node_i),
    .exit_i(exit),
    .exit_id_i(caller_current),
    .set_priority_i(set_priority),
    .set_id_i(subject),
    .priority_i(priority_argument),
    .priority_id_i(moving_q),
    .priority_o(own_priority),
    .node_id_i(state_q == Idle ? due_id : waiter_id),
    .node_o(subject_node),
    .used_o(used)
  );

  rtu_semaphores #(
    .NumSemaphores(NumSemaphores),
    .NumberWidth(SemaphoreWidth),
    .CountWidth(CountWidth),
    .Deep(Deep)
  ) u_semaphores (
    .clk_i,
    .rst_ni,
    .number_i(argument_i[SemaphoreWidth-1:0]),
    .empty_o(found_empty),
    .full_o(found_full),
    .decrement_i(decrement),
    .increment_i(increment),
    .set_i(set_count),
    .count_i(count_argument)
  );

  rtu_delays #(
    .NumTasks(NumTasks),
    .IdWidth(IdWidth),
    .TicksWidth(ArgumentWidth),
    .TimeWidth(TimeWidth),
    .TickUnit(TickUnit),
    .Deep(Deep)
  ) u_delays (
    .clk_i,
    .rst_ni,
    .set_period_i(set_period),
    .period_i(argument_i),
    .delay_i(delay),
    .delay_id_i(caller_current),
    .ticks_i(argument_i),
    .due_o(due),
    .due_id_o(due_id),
    .take_i(wake),
    .delayed_o(delayed)
  );

  rtu_queue #(
    .Depth(NumTasks),
    .IdWidth(IdWidth),
    .PriorityWidth(PriorityWidth),
    .TagWidth(TagWidth),
    .Deep(Deep)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .apply_i(step),
    .insert_i(insert),
    .insert_id_i(moving_q),
    .insert_priority_i(insert_priority),
    .insert_tag_i(tag_q),
    .remove_i(remove),
    .remove_id_i(removed_id),
    .removed_tag_o(removed_tag),
    .valid_o(slot_valid),
    .id_o(slot_id),
    .priority_o(),
    .tag_o(slot_tag)
  );

  rtu_lookup #(
    .Depth(NumTasks),
    .IdWidth(IdWidth),
    .TagWidth(TagWidth),
    .Deep(Deep)
  ) u_waiter (
    .clk_i,
    .search_i(state_q == Decide || (Pipelined && state_q == Idle)),
    .tag_i({rtu_pkg::KindWaiting, NumberWidth'(argument_i[SemaphoreWidth-1:0])}),
    .valid_i(slot_valid),
    .id_i(slot_id),
    .tags_i(slot_tag),
    .found_o(found_waiter),
    .id_o(found_waiter_id)
  );

  if (Pipelined) begin : gen_priority
    logic [PriorityWidth-1:0] priority_q;
    // Not reset: read only after a task was created or has left its queue.
    always_ff @(posedge clk_i) priority_q <= state_q == Decide ? priority_argument : own_priority;
    assign insert_priority = priority_q;
  end else begin : gen_priority
    assign insert_priority = own_priority;
  end

  if (Pipelined) begin : gen_found
    logic               free_q, empty_q, full_q, waiter_q;
    logic [IdWidth-1:0] free_id_q, waiter_id_q;
    // Not reset: read only after a search.
    always_ff @(posedge clk_i) begin
      free_q <= found_free;
      free_id_q <= found_free_id;
      empty_q <= found_empty;
      full_q <= found_full;
      waiter_q <= found_waiter;
      waiter_id_q <= found_waiter_id;
    end
    assign free = free_q;
    assign free_id = free_id_q;
    assign empty = empty_q;
    assign full = full_q;
    assign waiter = waiter_q;
    assign waiter_id = waiter_id_q;
  end else begin : gen_found
    assign free = found_free;
    assign free_id = found_free_id;
    assign empty = found_empty;
    assign full = found_full;
    assign waiter = found_waiter;
    assign waiter_id = found_waiter_id;
  end

  for (genvar n = 0; n < NumNodes; n++) begin : gen_head
    rtu_lookup #(
      .Depth(NumTasks),
      .IdWidth(IdWidth),
      .TagWidth(TagWidth),
      .Deep(Deep)
    ) u_head (
      .clk_i,
      .search_i(state_q == Settle || state_q == Last),
      .tag_i({rtu_pkg::KindReady, NumberWidth'(n)}),
      .valid_i(slot_valid),
      .id_i(slot_id),
      .tags_i(slot_tag),
      .found_o(found_head_valid[n]),
      .id_o(found_head[n*IdWidth+:IdWidth])
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        head_valid_q[n] <= 1'b0;
        head_q[n*IdWidth+:IdWidth] <= '0;
        current_valid_q[n] <= 1'b0;
        current_q[n*IdWidth+:IdWidth] <= '0;
      end else if (state_q == Last) begin
        head_valid_q[n] <= head_valid[n];
        head_q[n*IdWidth+:IdWidth] <= head[n*IdWidth+:IdWidth];
        if (ack_o && adopt_q && node_i == NodeWidth'(n)) begin
          current_valid_q[n] <= head_valid[n];
          current_q[n*IdWidth+:IdWidth] <= head[n*IdWidth+:IdWidth];
        end
      end
    end

    assign irq_o[n] = head_valid_q[n] &&
        !(current_valid_q[n] && current_q[n*IdWidth+:IdWidth] == head_q[n*IdWidth+:IdWidth]);
  end

  if (Pipelined) begin : gen_heads
    logic [NumNodes-1:0]         valid_q;
    logic [NumNodes*IdWidth-1:0] id_q;
    always_ff @(posedge clk_i) begin
      valid_q <= found_head_valid;
      id_q <= found_head;
    end
    assign head_valid = valid_q;
    assign head = id_q;
  end else begin : gen_heads
    assign head_valid = found_head_valid;
    assign head = found_head;
  end

  // The task that moves, and its destination.
  assign wake = state_q == Idle && due && !req_i;
  assign remove = Pipelined ? state_q == Remove : take_out || wake;
  assign removed_id = Pipelined ? moving_q : moving_d;
  assign insert = state_q == Insert;
  assign moving_d = wake ? due_id : subject;
  always_comb begin
    tag_d = {kind, number};
    if (wake) tag_d = {rtu_pkg::KindReady, NumberWidth'(subject_node)};
    if (same_queue) tag_d = removed_tag;
  end

  // The steps.
  assign has_two = Deep && state_q != Idle && state_q != Answer;
  assign step = !has_two || second_q;
  always_comb begin
    state_d = state_q;
    case (state_q)
      Idle: begin
        if (req_i) state_d = Decide;
        else if (wake) state_d = Pipelined ? Remove : Insert;
      end
      Decide:  state_d = Pipelined && take_out ? Remove : put_in ? Insert : Settle;
      Insert:  state_d = Settle;
      Remove:  state_d = put_in_q ? Insert : Settle;
      Settle:  state_d = Pipelined ? Answer : Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      second_q <= 1'b0;
      calling_q <= 1'b0;
      adopt_q <= 1'b0;
      put_in_q <= 1'b0;
      same_queue_q <= 1'b0;
      error_q <= rtu_pkg::ErrNone;
      moving_q <= '0;
      tag_q <= '0;
      created_q <= '0;
    end else begin
      second_q <= has_two && !second_q;
      if (step) state_q <= state_d;
      if (state_q == Idle || state_q == Decide) begin
        calling_q <= state_q == Decide;
        adopt_q <= adopt;
        put_in_q <= put_in || wake;
        same_queue_q <= same_queue;
        error_q <= error;
        moving_q <= moving_d;
        tag_q <= tag_d;
        created_q <= create ? free_id : '0;
      end else if (state_q == Remove && same_queue_q) begin
        tag_q <= removed_tag;
      end
    end
  end

  // The answer.
  assign ack_o = state_q == Last && calling_q;
  assign next_valid = head_valid[node_i];
  assign next = head[node_i*IdWidth+:IdWidth];
  always_comb begin
    answer_o = '0;
    answer_o[31] = error_q != rtu_pkg::ErrNone;
    answer_o[30] = !next_valid;
    answer_o[26:24] = error_q;
    answer_o[8+:IdWidth] = created_q;
    answer_o[0+:IdWidth] = next;
  end

  `RULE_NEXT(HoldsRequest, req_i && !ack_o, req_i)
  `RULE_NEXT(PausesRequest, ack_o, !req_i)
  `RULE_IF(InsertsTask, insert, (IdWidth + 1)'(moving_q) < (IdWidth + 1)'(NumTasks))
  // A task that is due waits for at most one call.
  `RULE_IF(WakesWhenIdle, state_q == Idle && due && !req_i, wake)
  `RULE_NEXT(WakesAfterCall, ack_o && due, wake || !due)
  `RULE_NEXT(WakesIntoReady, wake, (Pipelined ? remove : insert) &&
                                   tag_q[TagWidth-1:NumberWidth] == rtu_pkg::KindReady)
  // A call is answered in time: 2 cycles after it reaches the unit, 3 if it moves a task. If
  // Pipelined, each step takes one cycle, if Deep two, and the answer one more.
  `RULE_NEXT(DecidesAtOnce, state_q == Idle && req_i, state_q == Decide)
  if (Pipelined) begin : gen_pipelined_rules
    // The tables have not changed between the search and its use.
    `RULE_IF(SearchStays, state_q == Decide && step,
             free == found_free && (!free || free_id == found_free_id) && empty == found_empty &&
             full == found_full && waiter == found_waiter &&
             (!waiter || waiter_id == found_waiter_id))
    `RULE_IF(HeadsStay, state_q == Answer, head_valid == found_head_valid && head == found_head)
    `RULE_IF(RemovesTask, remove, (IdWidth + 1)'(moving_q) < (IdWidth + 1)'(NumTasks))
    `RULE_IF(PriorityStays, insert, insert_priority == own_priority)
    `RULE_NEXT(RemovesNext, state_q == Decide && take_out, remove)
    `RULE_NEXT(InsertsNext, state_q == Decide && !take_out && put_in, insert)
    `RULE_NEXT(InsertsRemoved, remove && step && put_in_q, insert)
    `RULE_NEXT(SettlesNext, step && (insert || (remove && !put_in_q)), state_q == Settle)
    `RULE_NEXT(AnswersNext, step && state_q == Settle && calling_q, ack_o)
  end
  if (Deep) begin : gen_deep_rules
    `RULE_NEXT(TakesTwoCycles, has_two && !step, step && state_q != Idle && state_q != Answer)
  end
  if (!Pipelined) begin : gen_rules
    `RULE_NEXT(AnswersInTwo, state_q == Decide && !put_in, ack_o)
    `RULE_NEXT(AnswersInThree, insert && calling_q, ack_o)
  end
  `RULE_IF(AnswersCalls, ack_o, req_i)
  for (genvar t = 0; t < NumTasks; t++) begin : gen_task_rules
    `RULE_IF(DelayedIsUsed, delayed[t], used[t])
  end
  for (genvar n = 0; n < NumNodes; n++) begin : gen_node_rules
    `RULE_IF(CurrentIsUsed, current_valid_q[n] && state_q == Idle,
             used[current_q[n*IdWidth+:IdWidth]])
    `RULE_NEXT(CurrentIsTheNodes, !(ack_o && node_i == NodeWidth'(n)),
                 current_q[n*IdWidth+:IdWidth] == $past(current_q[n*IdWidth+:IdWidth]) &&
                 current_valid_q[n] == $past(current_valid_q[n]))
  end

endmodule
