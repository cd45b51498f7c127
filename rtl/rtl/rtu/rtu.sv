// SPDX-License-Identifier: MIT
//
// Real-time unit: a task scheduler in hardware for several nodes. It keeps the ready queues of all
// nodes, the semaphores and the delays; the nodes keep the registers and the stacks of their tasks.
//
// The interrupt rule. The unit remembers for each node its current task: the task that the unit
// named in its last answer to that node. The interrupt line of a node is high exactly while the
// head of its ready queue is a task other than the current one, or while the node has a ready task
// and no current one. So a task switch that another node or the tick causes cannot be lost, and no
// switch is requested twice.
//
// The bus makes one call at a time. A call is answered after 2 cycles, or 3 if it moves a task.
// Between calls the unit wakes tasks whose delay has ended; a call that comes during such a wake-up
// waits up to 2 cycles longer.
//
// `Stages` divides the longest paths by registers, for a higher clock rate: rtu_steps.sv.
// `NumMutexes` adds mutexes with priority inheritance (default 0: none). After some calls, a walk
// along the owners of mutexes corrects inherited priorities: rtu_walk.sv.
// `DeadlineWidth` adds deadlines of less than 2**DeadlineWidth ticks: rtu_deadlines.sv.

`include "assertions.svh"

module rtu #(
  parameter int unsigned NumNodes = rtu_pkg::NumNodes,
  parameter int unsigned NumTasks = rtu_pkg::NumTasks,
  parameter int unsigned NumSemaphores = rtu_pkg::NumSemaphores,
  parameter int unsigned NumMutexes = 0,
  parameter int unsigned DeadlineWidth = 0,  // at most ArgumentWidth
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

  // A call. The request stays unchanged until `ack_o` is high; the answer is valid in that cycle.
  // Then the request is low for at least one cycle, in which the unit can wake a task that is due.
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
  localparam bit HasMutexes = NumMutexes > 0;
  localparam int unsigned MutexWidth = NumMutexes > 1 ? $clog2(NumMutexes) : 1;
  localparam int unsigned ObjectWidth = SemaphoreWidth > MutexWidth ? SemaphoreWidth : MutexWidth;
  localparam int unsigned NumberWidth = ObjectWidth > NodeWidth ? ObjectWidth : NodeWidth;
  localparam int unsigned TagWidth = rtu_pkg::KindWidth + NumberWidth;

  rtu_pkg::state_e state;
  logic            step, last;  // the last cycle of a state; the state in which a call is answered
  logic            calling_q;   // the task moves because of a call, not because its delay ended
  logic            put_in_q, same_queue_q;

  // The list of all queues (rtu_queue), and the task that moves in it.
  logic                              insert, remove;
  logic [IdWidth-1:0]                moving_q, moving_d;
  logic [TagWidth-1:0]               tag_q, tag_d, removed_tag;
  logic [PriorityWidth-1:0]          own_priority, insert_priority;
  logic [NumTasks-1:0]               slot_valid;
  logic [NumTasks*IdWidth-1:0]       slot_id;
  logic [NumTasks*TagWidth-1:0]      slot_tag;
  logic [NumTasks*PriorityWidth-1:0] slot_priority;

  // The effects of the call (rtu_decide).
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

  // The mutexes and the walk of priority inheritance (rtu_walk).
  logic                     acquire, release_mutex, inherit, restore, set_base;
  logic                     owned, own, owns, to_walk, changes, weighs;
  logic [IdWidth-1:0]       new_owner, lowest_held, next_walker;
  logic [PriorityWidth-1:0] weighed, own_base;

  // Results from the tables: free identifiers, counts, due tasks, waiting tasks.
  logic                 free, empty, full, due, wake, waiter;
  logic [IdWidth-1:0]   free_id, due_id, waiter_id, created_q, removed_id;
  logic                 found_free, found_empty, found_full, found_waiter;
  logic [IdWidth-1:0]   found_free_id, found_waiter_id;
  logic [NodeWidth-1:0] subject_node;
  logic [NumTasks-1:0]  used, delayed;
  logic                 tick, set_deadline;
  logic [TimeWidth-1:0] now;

  // For each node: the head of its ready queue, and its current task. Node n is at
  // [n * width +: width].
  logic [NumNodes-1:0]         head_valid, current_valid;
  logic [NumNodes*IdWidth-1:0] head, current;
  logic                        caller_valid, next_valid;
  logic [IdWidth-1:0]          caller_current, next;

  assign caller_valid = current_valid[node_i];
  assign caller_current = current[node_i*IdWidth+:IdWidth];

  rtu_decide #(
    .NumTasks(NumTasks),
    .NumSemaphores(NumSemaphores),
    .NumMutexes(NumMutexes),
    .DeadlineWidth(DeadlineWidth),
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
    .apply_i(state == rtu_pkg::Decide && step),
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
    .owned_i(owned),
    .own_i(own),
    .owns_i(owns),
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
    .acquire_o(acquire),
    .release_o(release_mutex),
    .owner_o(new_owner),
    .inherit_o(inherit),
    .restore_o(restore),
    .set_base_o(set_base),
    .set_deadline_o(set_deadline),
    .priority_o(priority_argument),
    .count_o(count_argument)
  );

  rtu_tasks #(
    .NumTasks(NumTasks),
    .IdWidth(IdWidth),
    .NodeWidth(NodeWidth),
    .PriorityWidth(PriorityWidth),
    .HasBase(HasMutexes),
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
    .set_priority_i(set_priority || weighs),
    .set_id_i(weighs ? moving_q : subject),
    .priority_i(weighs ? weighed : priority_argument),
    .set_base_i(set_base),
    .base_id_i(subject),
    .base_i(priority_argument),
    .priority_id_i(moving_q),
    .priority_o(own_priority),
    .base_o(own_base),
    .node_id_i(state == rtu_pkg::Idle ? due_id : waiter_id),
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
    .delayed_o(delayed),
    .tick_o(tick),
    .now_o(now)
  );

  rtu_queue #(
    .Depth(NumTasks),
    .IdWidth(IdWidth),
    .PriorityWidth(PriorityWidth),
    .TagWidth(TagWidth),
    .DeadlineWidth(DeadlineWidth),
    .TimeWidth(TimeWidth),
    .TicksWidth(ArgumentWidth),
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
    .tick_i(tick),
    .now_i(now),
    .set_ticks_i(create || set_deadline),
    .set_id_i(create ? free_id : caller_current),
    .ticks_i(create ? '0 : argument_i),
    .wakes_i(Pipelined ? !calling_q : wake),
    .sets_i(op_i == rtu_pkg::OpDeadline && (Pipelined ? calling_q : set_deadline)),
    .valid_o(slot_valid),
    .id_o(slot_id),
    .priority_o(slot_priority),
    .tag_o(slot_tag)
  );

  rtu_lookup #(
    .Depth(NumTasks),
    .IdWidth(IdWidth),
    .TagWidth(TagWidth),
    .Deep(Deep)
  ) u_waiter (
    .clk_i,
    .search_i(state == rtu_pkg::Decide || (Pipelined && state == rtu_pkg::Idle)),
    .tag_i({HasMutexes && op_i == rtu_pkg::OpGive && argument_i[rtu_pkg::MutexBit]
            ? rtu_pkg::KindLocking : rtu_pkg::KindWaiting,
            NumberWidth'(argument_i[ObjectWidth-1:0])}),
    .valid_i(slot_valid),
    .id_i(slot_id),
    .tags_i(slot_tag),
    .found_o(found_waiter),
    .id_o(found_waiter_id)
  );

  if (Pipelined) begin : gen_priority
    logic [PriorityWidth-1:0] priority_q;
    // Not reset: read only after a task was created or has left its queue.
    always_ff @(posedge clk_i) begin
      priority_q <= state == rtu_pkg::Decide ? priority_argument : weighs ? weighed : own_priority;
    end
    assign insert_priority = priority_q;
  end else begin : gen_priority
    assign insert_priority = own_priority;
  end

  if (Pipelined) begin : gen_found
    // Not reset: read only after a search.
    always_ff @(posedge clk_i) begin
      {free, free_id, empty, full, waiter, waiter_id} <= {
        found_free, found_free_id, found_empty, found_full, found_waiter, found_waiter_id};
    end
  end else begin : gen_found
    assign {free, free_id, empty, full, waiter, waiter_id} = {
        found_free, found_free_id, found_empty, found_full, found_waiter, found_waiter_id};
  end

  if (HasMutexes) begin : gen_mutexes
    rtu_walk #(
      .NumTasks(NumTasks),
      .NumMutexes(NumMutexes),
      .IdWidth(IdWidth),
      .NumberWidth(NumberWidth),
      .MutexWidth(MutexWidth),
      .PriorityWidth(PriorityWidth),
      .Stages(Stages)
    ) u_walk (
      .clk_i,
      .rst_ni,
      .argument_i,
      .of_argument_i(op_i == rtu_pkg::OpPriority),
      .caller_i(caller_current),
      .acquire_i(acquire),
      .release_i(release_mutex),
      .owner_i(new_owner),
      .decide_i(state == rtu_pkg::Decide && step),
      .owned_o(owned),
      .own_o(own),
      .owns_o(owns),
      .lowest_o(lowest_held),
      .starts_i(state == rtu_pkg::Idle || state == rtu_pkg::Decide),
      .forced_i(inherit),
      .restore_i(restore),
      .hold_i(state == rtu_pkg::Hold),
      .weigh_i(state == rtu_pkg::Weigh),
      .remove_i(state == rtu_pkg::Remove),
      .insert_i(insert),
      .step_i(step),
      .calling_i(calling_q),
      .same_queue_i(same_queue_q),
      .put_in_i(put_in_q),
      .task_i(moving_q),
      .tag_i(tag_q),
      .priority_i(own_priority),
      .base_i(own_base),
      .valid_i(slot_valid),
      .tags_i(slot_tag),
      .priorities_i(slot_priority),
      .used_i(used),
      .goes_on_o(to_walk),
      .next_o(next_walker),
      .changes_o(changes),
      .weighs_o(weighs),
      .weighed_o(weighed)
    );
  end else begin : gen_mutexes
    assign {owned, own, owns, changes, to_walk, weighs} = '0;
    assign lowest_held = '0;
    assign next_walker = '0;
    assign weighed = '0;
  end

  rtu_heads #(
    .NumNodes(NumNodes),
    .NumTasks(NumTasks),
    .IdWidth(IdWidth),
    .NodeWidth(NodeWidth),
    .NumberWidth(NumberWidth),
    .Stages(Stages)
  ) u_heads (
    .clk_i,
    .rst_ni,
    .search_i(state == rtu_pkg::Settle || last),
    .apply_i(last),
    .adopt_i(ack_o && adopt_q),
    .node_i,
    .valid_i(slot_valid),
    .id_i(slot_id),
    .tags_i(slot_tag),
    .head_valid_o(head_valid),
    .head_o(head),
    .current_valid_o(current_valid),
    .current_o(current),
    .irq_o
  );

  // The task that moves, and its destination.
  assign wake = state == rtu_pkg::Idle && due && !req_i;
  assign remove = ((Pipelined || HasMutexes) && state == rtu_pkg::Remove) ||
                  (!Pipelined && (take_out || wake));
  assign removed_id = Pipelined || (HasMutexes && state == rtu_pkg::Remove) ? moving_q : moving_d;
  assign insert = state == rtu_pkg::Insert;
  assign moving_d = wake ? due_id : subject;
  always_comb begin
    tag_d = {kind, number};
    if (wake) tag_d = {rtu_pkg::KindReady, NumberWidth'(subject_node)};
    if (same_queue) tag_d = removed_tag;
  end

  rtu_steps #(
    .HasMutexes(HasMutexes),
    .Stages(Stages)
  ) u_steps (
    .clk_i,
    .rst_ni,
    .req_i,
    .ack_i(ack_o),
    .wake_i(wake),
    .take_out_i(take_out),
    .put_in_i(put_in),
    .put_moved_in_i(put_in_q),
    .calling_i(calling_q),
    .inherit_i(inherit),
    .walks_on_i(to_walk),
    .changes_i(changes),
    .state_o(state),
    .step_o(step),
    .last_o(last)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      calling_q <= 1'b0;
      adopt_q <= 1'b0;
      put_in_q <= 1'b0;
      same_queue_q <= 1'b0;
      error_q <= rtu_pkg::ErrNone;
      moving_q <= '0;
      tag_q <= '0;
      created_q <= '0;
    end else begin
      if (state == rtu_pkg::Idle || state == rtu_pkg::Decide) begin
        calling_q <= state == rtu_pkg::Decide;
        adopt_q <= adopt;
        put_in_q <= put_in || wake;
        same_queue_q <= same_queue;
        error_q <= error;
        moving_q <= moving_d;
        tag_q <= tag_d;
        created_q <= create ? free_id : '0;
        if (HasMutexes && error == rtu_pkg::ErrOwner && op_i == rtu_pkg::OpExit) begin
          created_q <= lowest_held;
        end
      end else if (state == rtu_pkg::Remove && same_queue_q) begin
        tag_q <= removed_tag;
      end else if (HasMutexes && step && state == rtu_pkg::Insert && to_walk) begin
        moving_q <= next_walker;
        put_in_q <= 1'b1;
        same_queue_q <= 1'b1;
      end
      if (HasMutexes && state == rtu_pkg::Hold) put_in_q <= 1'b1;
    end
  end

  assign ack_o = last && calling_q;
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
  `RULE_IF(WakesWhenIdle, state == rtu_pkg::Idle && due && !req_i, wake)
  `RULE_NEXT(WakesAfterCall, ack_o && due, wake || !due)
  `RULE_NEXT(WakesIntoReady, wake, (Pipelined ? remove : insert) &&
                                   tag_q[TagWidth-1:NumberWidth] == rtu_pkg::KindReady)
  if (Pipelined) begin : gen_pipelined_rules
    `RULE_IF(SearchStays, state == rtu_pkg::Decide && step,
             free == found_free && (!free || free_id == found_free_id) && empty == found_empty &&
             full == found_full && waiter == found_waiter &&
             (!waiter || waiter_id == found_waiter_id))
    `RULE_IF(RemovesTask, remove, (IdWidth + 1)'(moving_q) < (IdWidth + 1)'(NumTasks))
    `RULE_IF(PriorityStays, insert, insert_priority == own_priority)
  end
  `RULE_IF(AnswersCalls, ack_o, req_i)
  for (genvar t = 0; t < NumTasks; t++) begin : gen_task_rules
    `RULE_IF(DelayedIsUsed, delayed[t], used[t])
  end
  for (genvar n = 0; n < NumNodes; n++) begin : gen_node_rules
    `RULE_IF(CurrentIsUsed, current_valid[n] && state == rtu_pkg::Idle,
             used[current[n*IdWidth+:IdWidth]])
  end

endmodule
