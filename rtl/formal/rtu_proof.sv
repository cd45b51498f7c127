// SPDX-License-Identifier: MIT
//
// Proof of the whole RTU by induction, for all sequences of valid and invalid calls and of ticks:
//  - no task is lost: a task that exists is in exactly one queue, except while it moves;
//  - the interrupt rule of rtu.sv holds, and a node's current task is ready on that node;
//  - a call that is answered with an error has changed nothing;
//  - with mutexes (NumMutexes 2): a task has its base priority, or that of the first task that
//    waits for one of its mutexes if this is higher, except while a walk corrects it;
//  - the assertions in the modules of the unit hold, for example on the inputs of rtu_queue.
//
// The proof uses sizes that the solver can handle; the sources are those of the full unit. A wire
// with a dot in its name is a wire inside the unit: the attribute `hierconn` makes yosys connect it
// when it flattens the design.

`include "assertions.svh"

module rtu_proof #(
  parameter int unsigned NumNodes = 2,
  parameter int unsigned NumTasks = 3,
  parameter int unsigned NumSemaphores = 2,
  parameter int unsigned NumMutexes = 0,
  parameter int unsigned DeadlineWidth = 0,
  parameter int unsigned Stages = 0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_i,
  input logic        node_i,
  input logic [3:0]  op_i,
  input logic [15:0] argument_i
);

  localparam bit Pipelined = Stages > 0;
  localparam int unsigned PriorityWidth = 2;
  localparam int unsigned CountWidth = 2;
  // The longest delay would need more bits, so some delays end early here. That is harmless,
  // because the rules of this proof hold whenever a task wakes; rtu_delays_proof.sv and the random
  // test check the length of delays.
  localparam int unsigned TimeWidth = 4;
  localparam int unsigned IdWidth = 2;
  localparam int unsigned NumberWidth = 1;
  localparam int unsigned TagWidth = 2 + NumberWidth;

  localparam logic [2:0] Idle = 3'd0, Decide = 3'd1, Insert = 3'd2, Settle = 3'd3, Remove = 3'd4;
  localparam logic [2:0] Last = Pipelined ? 3'd5 : Settle;
  localparam logic [2:0] Hold = 3'd6, Weigh = 3'd7;
  localparam logic [1:0] Ready = 2'd0, Waiting = 2'd1, Delayed = 2'd2, Locking = 2'd3;

  logic                ack;
  logic [31:0]         answer;
  logic [NumNodes-1:0] irq;

  rtu #(
    .NumNodes(NumNodes),
    .NumTasks(NumTasks),
    .NumSemaphores(NumSemaphores),
    .NumMutexes(NumMutexes),
    .DeadlineWidth(DeadlineWidth),
    .PriorityWidth(PriorityWidth),
    .CountWidth(CountWidth),
    .TimeWidth(TimeWidth),
    .TickUnit(2),
    .NodeWidth(1),
    .Stages(Stages)
  ) u_rtu (
    .clk_i,
    .rst_ni,
    .req_i,
    .node_i,
    .op_i,
    .argument_i,
    .ack_o(ack),
    .answer_o(answer),
    .irq_o(irq)
  );

  (* hierconn *) wire [2:0] \u_rtu.u_steps.state_q ;
  (* hierconn *) wire \u_rtu.wake ;
  (* hierconn *) wire \u_rtu.calling_q ;
  (* hierconn *) wire \u_rtu.adopt_q ;
  (* hierconn *) wire [2:0] \u_rtu.error_q ;
  (* hierconn *) wire \u_rtu.put_in_q ;
  (* hierconn *) wire \u_rtu.same_queue_q ;
  (* hierconn *) wire [IdWidth-1:0] \u_rtu.moving_q ;
  (* hierconn *) wire [TagWidth-1:0] \u_rtu.tag_q ;
  (* hierconn *) wire [NumTasks-1:0] \u_rtu.used ;
  (* hierconn *) wire [NumTasks-1:0] \u_rtu.delayed ;
  (* hierconn *) wire [NumTasks-1:0] \u_rtu.slot_valid ;
  (* hierconn *) wire [NumTasks*IdWidth-1:0] \u_rtu.slot_id ;
  (* hierconn *) wire [NumTasks*TagWidth-1:0] \u_rtu.slot_tag ;
  (* hierconn *) wire [NumNodes-1:0] \u_rtu.u_heads.head_valid_q ;
  (* hierconn *) wire [NumNodes*IdWidth-1:0] \u_rtu.u_heads.head_q ;
  (* hierconn *) wire [NumNodes-1:0] \u_rtu.u_heads.current_valid_q ;
  (* hierconn *) wire [NumNodes*IdWidth-1:0] \u_rtu.u_heads.current_q ;
  (* hierconn *) wire [NumTasks*PriorityWidth-1:0] \u_rtu.u_queue.priority_o ;
  (* hierconn *) wire [PriorityWidth-1:0] \u_rtu.u_tasks.priority_q[0] ;
  (* hierconn *) wire [PriorityWidth-1:0] \u_rtu.u_tasks.priority_q[1] ;
  (* hierconn *) wire [PriorityWidth-1:0] \u_rtu.u_tasks.priority_q[2] ;
  (* hierconn *) wire \u_rtu.u_tasks.node_q[0] ;
  (* hierconn *) wire \u_rtu.u_tasks.node_q[1] ;
  (* hierconn *) wire \u_rtu.u_tasks.node_q[2] ;
  (* hierconn *) wire [CountWidth-1:0] \u_rtu.u_semaphores.count_q[0] ;
  (* hierconn *) wire [CountWidth-1:0] \u_rtu.u_semaphores.count_q[1] ;

  // Only in a unit with mutexes.
  (* hierconn *) wire \u_rtu.gen_mutexes.u_walk.walking_q ;
  (* hierconn *) wire \u_rtu.gen_mutexes.u_walk.restore_q ;
  (* hierconn *) wire [PriorityWidth-1:0] \u_rtu.gen_mutexes.u_walk.weighed_q ;
  (* hierconn *) wire [1:0] \u_rtu.gen_mutexes.u_walk.u_mutexes.owned_q ;
  (* hierconn *) wire [2*IdWidth-1:0] \u_rtu.gen_mutexes.u_walk.u_mutexes.owner_q ;
  (* hierconn *) wire [PriorityWidth-1:0] \u_rtu.u_tasks.gen_base.base_q[0] ;
  (* hierconn *) wire [PriorityWidth-1:0] \u_rtu.u_tasks.gen_base.base_q[1] ;
  (* hierconn *) wire [PriorityWidth-1:0] \u_rtu.u_tasks.gen_base.base_q[2] ;

  logic [2:0] state;
  logic       idle_or_decide;
  assign state = \u_rtu.u_steps.state_q ;
  assign idle_or_decide = state == Idle || state == Decide;

  // Assumptions: one reset at the start, and requests as rtu.sv requires them.
  logic started_q = 1'b0;
  logic waiting_q = 1'b0, answered_q = 1'b0;
  logic [20:0] call, call_q;
  assign call = {node_i, op_i, argument_i};
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    waiting_q <= rst_ni && req_i && !ack;
    answered_q <= rst_ni && ack;
    call_q <= call;
  end
  always_comb begin
    assume (rst_ni == started_q);
    assume (rst_ni || !req_i);
    assume (!waiting_q || (req_i && call == call_q));
    assume (!answered_q || !req_i);
    // This range contains invalid identifiers of each kind, and periods that are short enough for
    // ticks between the states of a call.
    assume (argument_i[15:11] == '0 && argument_i[7:3] == '0);
  end

  // --- Every task and its queue.
  logic [NumTasks*PriorityWidth-1:0] priorities;
  logic [NumTasks-1:0]               nodes;
  assign priorities = { \u_rtu.u_tasks.priority_q[2] , \u_rtu.u_tasks.priority_q[1] ,
                       \u_rtu.u_tasks.priority_q[0] };
  assign nodes = { \u_rtu.u_tasks.node_q[2] , \u_rtu.u_tasks.node_q[1] , \u_rtu.u_tasks.node_q[0] };

  logic [NumTasks-1:0] locking, awaited;  // waits for a mutex; which one
  for (genvar t = 0; t < NumTasks; t++) begin : gen_task
    logic                     used, listed, twice, moving, leaving;
    logic [TagWidth-1:0]      tag;
    logic [PriorityWidth-1:0] prio;
    logic [CountWidth-1:0]    count;

    assign used = \u_rtu.used [t];
    // In state Remove the task is still in its old queue, although its new tag is known already.
    assign leaving = state == Remove && \u_rtu.moving_q == IdWidth'(t);
    assign moving = state == Insert && \u_rtu.moving_q == IdWidth'(t);
    assign count = tag[0] ? \u_rtu.u_semaphores.count_q[1] : \u_rtu.u_semaphores.count_q[0] ;
    always_comb begin
      listed = 1'b0;
      twice = 1'b0;
      tag = \u_rtu.tag_q ;
      prio = '0;
      for (int unsigned s = 0; s < NumTasks; s++) begin
        if ( \u_rtu.slot_valid [s] && \u_rtu.slot_id [s*IdWidth+:IdWidth] == IdWidth'(t)) begin
          twice = listed;
          listed = 1'b1;
          tag = \u_rtu.slot_tag [s*TagWidth+:TagWidth];
          prio = \u_rtu.u_queue.priority_o [s*PriorityWidth+:PriorityWidth];
        end
      end
      if (leaving && ! \u_rtu.same_queue_q ) tag = \u_rtu.tag_q ;
    end

    assign locking[t] = used && tag[NumberWidth+:2] == Locking;
    assign awaited[t] = tag[0];

    `RULE(Unique, !twice)
    `RULE(NothingLost, used == ((listed && (!leaving || \u_rtu.put_in_q )) || moving))
    `RULE(LeavesList, !leaving || listed)
    `RULE(MovingIsOut, !(listed && moving))
    `RULE_IF(OwnPriority, listed && !leaving, prio == priorities[t*PriorityWidth+:PriorityWidth])
    `RULE(SleepsAsTold, \u_rtu.delayed [t] == (used && tag[NumberWidth+:2] == Delayed))
    `RULE_IF(ReadyAtHome, used && tag[NumberWidth+:2] == Ready, tag[0] == nodes[t])
    `RULE_IF(WaitsForNothingThere, used && tag[NumberWidth+:2] == Waiting, count == '0)
  end

  // --- Every mutex: its owner, and the priority that the owner inherits.
  if (NumMutexes > 0) begin : gen_mutexes
    logic [1:0]                        owned;
    logic [2*IdWidth-1:0]              owner;
    logic [NumTasks*PriorityWidth-1:0] bases;
    logic [IdWidth-1:0]                caller;
    logic                              moves, restores;
    assign owned = \u_rtu.gen_mutexes.u_walk.u_mutexes.owned_q ;
    assign owner = \u_rtu.gen_mutexes.u_walk.u_mutexes.owner_q ;
    assign bases = { \u_rtu.u_tasks.gen_base.base_q[2] , \u_rtu.u_tasks.gen_base.base_q[1] ,
                    \u_rtu.u_tasks.gen_base.base_q[0] };
    assign caller = \u_rtu.u_heads.current_q [node_i*IdWidth+:IdWidth];
    assign moves = state == Remove || state == Insert;
    assign restores = moves && \u_rtu.calling_q && \u_rtu.gen_mutexes.u_walk.restore_q ;

    for (genvar t = 0; t < NumTasks; t++) begin : gen_inheritance
      logic [PriorityWidth-1:0] wanted, own;
      logic                     owner_moves;  // task t owns the mutex that the moving task wants
      logic                     pending;
      assign own = priorities[t*PriorityWidth+:PriorityWidth];
      always_comb begin
        wanted = bases[t*PriorityWidth+:PriorityWidth];
        owner_moves = 1'b0;
        for (int unsigned u = 0; u < NumTasks; u++) begin
          if (locking[u] && owner[awaited[u]*IdWidth+:IdWidth] == IdWidth'(t)) begin
            if (priorities[u*PriorityWidth+:PriorityWidth] > wanted) begin
              wanted = priorities[u*PriorityWidth+:PriorityWidth];
            end
            if ( \u_rtu.moving_q == IdWidth'(u)) owner_moves = 1'b1;
          end
        end
        pending = moves && owner_moves;
        if (restores && caller == IdWidth'(t)) pending = 1'b1;
        if ((state == Hold || state == Weigh ||
             (state == Remove && \u_rtu.gen_mutexes.u_walk.walking_q )) &&
            \u_rtu.moving_q == IdWidth'(t)) pending = 1'b1;
      end
      `RULE_IF(AwaitsOwned, locking[t], owned[awaited[t]])
      `RULE_IF(AwaitsAnother, locking[t], owner[awaited[t]*IdWidth+:IdWidth] != IdWidth'(t))
      `RULE_IF(Inherits, \u_rtu.used [t] && !pending, own == wanted)
      `RULE_IF(Weighs, state == Remove && \u_rtu.gen_mutexes.u_walk.walking_q == 1'b1 &&
                       \u_rtu.moving_q == IdWidth'(t),
               \u_rtu.gen_mutexes.u_walk.weighed_q == wanted)
    end

    // The task that a walk visits exists.
    logic [NumTasks-1:0] walker, restored;
    assign walker = NumTasks'(1) << \u_rtu.moving_q ;
    assign restored = NumTasks'(1) << caller;
    `RULE_IF(WalksTask, state == Hold || state == Weigh, (walker & \u_rtu.used ) != '0)
    `RULE_IF(RestoresTask, restores, (restored & \u_rtu.used ) != '0)

    logic [2*(1+IdWidth)+2*NumTasks*PriorityWidth-1:0] owners, owners_q;
    assign owners = {owned, owner, bases, priorities};
    always_ff @(posedge clk_i) if (state == Decide) owners_q <= owners;
    `RULE_IF(ErrorKeepsOwners, error, owners == owners_q)

    `REACHED(OwnerInherits, state == Settle && \u_rtu.gen_mutexes.u_walk.walking_q == 1'b1)
    `REACHED(InheritsTwice, state == Hold && \u_rtu.gen_mutexes.u_walk.walking_q == 1'b1)
    `REACHED(Restores, state == Hold && locking == '0 && owned != '0)
  end

  for (genvar s = 0; s < NumTasks; s++) begin : gen_slot
    `RULE_IF(HoldsTask, \u_rtu.slot_valid [s],
             \u_rtu.slot_id [s*IdWidth+:IdWidth] < IdWidth'(NumTasks))
  end

  // --- Every node: the head of its ready queue, its current task, its interrupt.
  for (genvar n = 0; n < NumNodes; n++) begin : gen_node
    logic               first_valid, head_valid, current_valid, current_ready, own_call;
    logic [IdWidth-1:0] first, head, current;
    logic [TagWidth-1:0] ready_here;

    assign ready_here = {Ready, 1'(n)};
    assign head_valid = \u_rtu.u_heads.head_valid_q [n];
    assign head = \u_rtu.u_heads.head_q [n*IdWidth+:IdWidth];
    assign current_valid = \u_rtu.u_heads.current_valid_q [n];
    assign current = \u_rtu.u_heads.current_q [n*IdWidth+:IdWidth];
    assign own_call = !idle_or_decide && \u_rtu.calling_q && \u_rtu.adopt_q && node_i == 1'(n);
    always_comb begin
      first_valid = 1'b0;
      first = '0;
      current_ready = state == Insert && \u_rtu.moving_q == current && \u_rtu.tag_q == ready_here;
      for (int unsigned s = 0; s < NumTasks; s++) begin
        if ( \u_rtu.slot_valid [s] && \u_rtu.slot_tag [s*TagWidth+:TagWidth] == ready_here) begin
          if (!first_valid) first = \u_rtu.slot_id [s*IdWidth+:IdWidth];
          first_valid = 1'b1;
          if ( \u_rtu.slot_id [s*IdWidth+:IdWidth] == current) current_ready = 1'b1;
        end
      end
    end

    `RULE_IF(HeadIsFirst, idle_or_decide && first_valid, head_valid && head == first)
    `RULE_IF(NoHead, idle_or_decide && !first_valid, !head_valid)
    `RULE(InterruptRule, irq[n] == (head_valid && !(current_valid && current == head)))
    `RULE_IF(CurrentIsReady, current_valid && !own_call, current_ready)
    if (Pipelined) begin : gen_removal
      `RULE_IF(CurrentStays, state == Remove && current_valid && !own_call &&
                             \u_rtu.moving_q == current,
               \u_rtu.same_queue_q && \u_rtu.put_in_q == 1'b1)
    end
    `RULE_IF(AnswersHead, ack && node_i == 1'(n), answer[30] == !first_valid)
    `RULE_IF(AnswersFirst, ack && node_i == 1'(n) && first_valid, answer[IdWidth-1:0] == first)
  end

  // --- All state that a call may change, to check that an error changes none of it.
  localparam int unsigned SnapshotWidth = NumTasks * (2 + IdWidth + TagWidth) +
                                          NumNodes * (1 + IdWidth) + NumSemaphores * CountWidth;
  logic [SnapshotWidth-1:0] snapshot, before_q;
  logic                     error;
  assign snapshot = { \u_rtu.slot_valid , \u_rtu.slot_id , \u_rtu.slot_tag , \u_rtu.used ,
                     \u_rtu.u_heads.current_valid_q , \u_rtu.u_heads.current_q ,
                     \u_rtu.u_semaphores.count_q[0] , \u_rtu.u_semaphores.count_q[1] };
  assign error = !idle_or_decide && \u_rtu.calling_q && \u_rtu.error_q != '0;
  always_ff @(posedge clk_i) if (state == Decide) before_q <= snapshot;

  `RULE(StateExists, state <= Last || (NumMutexes > 0 && (state == Remove || state >= Hold)))
  `RULE_IF(CallIsThere, state != Idle && (state == Decide || \u_rtu.calling_q ), req_i)
  `RULE_IF(ErrorChangesNothing, error, snapshot == before_q)
  `RULE_IF(ErrorMovesNothing, error, ! \u_rtu.adopt_q && (state == Settle || state == Last))
  `RULE_IF(ErrorIsTold, ack, answer[31] == error)

  // --- The unit can still do its work under the assumptions above.
  `REACHED(TaskWakes, \u_rtu.wake == 1'b1)
  `REACHED(EveryTaskExists, \u_rtu.used == '1)
  `REACHED(TakesLastSemaphore, ack && op_i == 4'd2 && argument_i == 16'd1 && !answer[31])
  `REACHED(DelaysLong, ack && op_i == 4'd5 && argument_i[10:8] != '0 && !answer[31])
  `REACHED(WaiterIsWoken, ack && op_i == 4'd3 && answer[31] == 1'b0 && irq != '0)

endmodule
