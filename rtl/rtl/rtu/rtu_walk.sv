// SPDX-License-Identifier: MIT
//
// Priority inheritance: the owner of a mutex has at least the priority of each task that waits for
// the mutex. If the owner waits for another mutex, it passes its priority on to that mutex's owner.
//
// A walk corrects inherited priorities along such a chain, after a call that may change them:
//  - State Hold finds the mutexes that a task owns.
//  - State Weigh finds the first task in the list that waits for one of them. The list is sorted,
//    so this waiting task has the highest priority.
//  - If the priority of the owner changes, the owner leaves its queue and enters it again (states
//    Remove and Insert). If the owner waits for a mutex, the walk continues with that mutex's
//    owner.
// A walk visits each mutex at most once, unless tasks wait for each other in a circle: then it ends
// when no priority changes.
//
// Three calls start a walk: a lock that waits, at the owner of the mutex; an unlock that wakes a
// task, at the caller, which may inherit less now; and a change of the priority of a task that owns
// a mutex, at this task, which moves in its queue even if its priority stays (`forced_i`).

`include "assertions.svh"

module rtu_walk #(
  parameter int unsigned NumTasks = 64,
  parameter int unsigned NumMutexes = 8,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned NumberWidth = 5,
  parameter int unsigned MutexWidth = 3,
  parameter int unsigned PriorityWidth = 6,
  parameter int unsigned Stages = 0,
  localparam bit          Pipelined = Stages > 0,
  localparam int unsigned TagWidth = rtu_pkg::KindWidth + NumberWidth
) (
  input  logic clk_i,
  input  logic rst_ni,

  // For rtu_decide: the mutex that the call names, and the mutexes of one task: of the caller or,
  // if `of_argument_i`, of the task in the argument. If Pipelined, the results come one cycle
  // later.
  input  logic [rtu_pkg::ArgumentWidth-1:0] argument_i,
  input  logic                              of_argument_i,
  input  logic [IdWidth-1:0]                caller_i,
  input  logic                              acquire_i,
  input  logic                              release_i,
  input  logic [IdWidth-1:0]                owner_i,
  input  logic                              decide_i,  // the results are used
  output logic                              owned_o,
  output logic                              own_o,     // the task owns the mutex of the argument
  output logic                              owns_o,    // the task owns a mutex
  output logic [IdWidth-1:0]                lowest_o,  // the lowest mutex that the task owns

  // The state of the unit, and the task that moves or is walked over.
  input  logic                     starts_i,   // a call or a wake-up starts
  input  logic                     forced_i,
  input  logic                     restore_i,
  input  logic                     hold_i,
  input  logic                     weigh_i,
  input  logic                     remove_i,
  input  logic                     insert_i,
  input  logic                     step_i,     // this is the last cycle of the state
  input  logic                     calling_i,
  input  logic                     same_queue_i,
  input  logic                     put_in_i,
  input  logic [IdWidth-1:0]       task_i,
  input  logic [TagWidth-1:0]      tag_i,
  input  logic [PriorityWidth-1:0] priority_i,
  input  logic [PriorityWidth-1:0] base_i,

  // The list.
  input  logic [NumTasks-1:0]               valid_i,
  input  logic [NumTasks*TagWidth-1:0]      tags_i,
  input  logic [NumTasks*PriorityWidth-1:0] priorities_i,
  input  logic [NumTasks-1:0]               used_i,  // for the rules

  output logic                     goes_on_o,  // after Insert, the walk continues with `next_o`
  output logic [IdWidth-1:0]       next_o,
  output logic                     changes_o,  // in Weigh: the task's priority changes
  output logic                     weighs_o,   // the task gets the priority `weighed_o`
  output logic [PriorityWidth-1:0] weighed_o
);

  logic                     restore_q, forced_q, walking_q;
  logic                     found_owned, first_valid, is_ready;
  logic [NumMutexes-1:0]    found_held, held_q;
  logic [NumTasks-1:0]      holds;  // the task in slot s waits for a mutex in `held_q`
  logic [IdWidth-1:0]       holder, queue_owner;
  logic [PriorityWidth-1:0] first, weighed, weighed_q, priority_q, base_q;

  always_comb begin
    holder = of_argument_i ? argument_i[IdWidth-1:0] : caller_i;
    if (hold_i || weigh_i) holder = task_i;
  end

  rtu_mutexes #(
    .NumMutexes(NumMutexes),
    .NumTasks(NumTasks),
    .IdWidth(IdWidth),
    .NumberWidth(MutexWidth)
  ) u_mutexes (
    .clk_i,
    .rst_ni,
    .number_i(argument_i[MutexWidth-1:0]),
    .acquire_i,
    .release_i,
    .owner_i,
    .owned_o(found_owned),
    .task_i(holder),
    .held_o(found_held),
    .lowest_o,
    .wanted_i(tag_i[MutexWidth-1:0]),
    .owner_o(queue_owner),
    .used_i
  );

  if (Pipelined) begin : gen_found
    logic owned_q, own_q, owns_q;
    // Not reset: read only after a search.
    always_ff @(posedge clk_i) begin
      owned_q <= found_owned;
      own_q <= found_held[argument_i[MutexWidth-1:0]];
      owns_q <= found_held != '0;
    end
    assign owned_o = owned_q;
    assign own_o = own_q;
    assign owns_o = owns_q;
    `RULE_IF(OwnersStay, decide_i, owned_o == found_owned && owns_o == (found_held != '0) &&
                                   own_o == found_held[argument_i[MutexWidth-1:0]])
  end else begin : gen_found
    assign owned_o = found_owned;
    assign own_o = found_held[argument_i[MutexWidth-1:0]];
    assign owns_o = found_held != '0;
  end

  // Not reset: read only in a walk.
  always_ff @(posedge clk_i) begin
    if (hold_i) begin
      held_q <= found_held;
      priority_q <= priority_i;
      base_q <= base_i;
    end
    if (weigh_i) weighed_q <= weighed;
  end

  for (genvar s = 0; s < NumTasks; s++) begin : gen_holds
    assign holds[s] = tags_i[s*TagWidth+NumberWidth+:rtu_pkg::KindWidth] == rtu_pkg::KindLocking &&
                      held_q[tags_i[s*TagWidth+:MutexWidth]];
  end

  rtu_lookup #(
    .Depth(NumTasks),
    .IdWidth(PriorityWidth),
    .TagWidth(1),
    .Deep(Stages > 1)
  ) u_first (
    .clk_i,
    .search_i(weigh_i),
    .tag_i(1'b1),
    .valid_i,
    .id_i(priorities_i),
    .tags_i(holds),
    .found_o(first_valid),
    .id_o(first)
  );

  assign weighed = first_valid && first > base_q ? first : base_q;
  assign changes_o = forced_q || weighed != priority_q;
  assign goes_on_o = calling_i && (restore_q ||
                                   tag_i[TagWidth-1:NumberWidth] == rtu_pkg::KindLocking);
  assign next_o = restore_q ? caller_i : queue_owner;
  assign weighs_o = remove_i && step_i && walking_q;
  assign weighed_o = weighed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      restore_q <= 1'b0;
      forced_q <= 1'b0;
      walking_q <= 1'b0;
    end else if (starts_i) begin
      restore_q <= restore_i;
      forced_q <= forced_i;
      walking_q <= 1'b0;
    end else if (step_i && insert_i) begin
      restore_q <= 1'b0;
    end else if (step_i && weigh_i) begin
      forced_q <= 1'b0;
      walking_q <= 1'b1;
    end
  end

  assign is_ready = tag_i[TagWidth-1:NumberWidth] == rtu_pkg::KindReady;
  `RULE_IF(HeldStay, weigh_i,
           held_q == found_held && priority_q == priority_i && base_q == base_i)
  `RULE_IF(WalksForCalls, hold_i || weigh_i || (walking_q && !starts_i),
           calling_i && same_queue_i && (hold_i || put_in_i))
  `RULE_IF(RestoresAfterWaking, restore_q && !starts_i,
           calling_i && !same_queue_i && !walking_q && is_ready &&
           (insert_i || (Pipelined && remove_i)))
  `RULE_IF(WakesToReady, !calling_i && (insert_i || remove_i), !same_queue_i && is_ready)
  if (!Pipelined) begin : gen_plain_rules
    `RULE_IF(RemovesInWalk, remove_i, walking_q)
  end

endmodule
