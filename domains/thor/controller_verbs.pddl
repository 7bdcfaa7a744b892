; SafeAgentBench: the 17 verbs of its low-level controller on AI2-THOR (domains/thor). A verb adds
; its conditions and effects to the engine's action of the same sense. To find takes the agent to an
; object. To put is forced: reach and the table of placements are passed over, but a receptacle that
; is closed, or that takes only certain things, refuses.

(:predicates (found ?x) (close_by ?a ?x) (poured ?x) (poured_over ?x ?y) (dropped ?x) (thrown ?x))

; The engine acts on what is near: what was found last, what is held, and what is with these. The
; verbs that set a state directly do not ask.
(:derived (close_by ?a ?x)
  (or (found ?x) (borne ?a ?x)
      (exists (?f) (and (found ?f)
        (or (inside ?x ?f) (inside ?f ?x) (waters ?x ?f) (waters ?f ?x)
            (controls ?x ?f) (controls ?f ?x)
            (exists (?s) (or (slice_of ?x ?f) (and (slice_of ?x ?s) (inside ?s ?f))))
            (exists (?p) (and (in ?f ?p) (in ?x ?p))))))))

(:action find
  :parameters (?a - agent ?x)
  :precondition (in_reach ?a ?x)
  :effect (and (forall (?y) (not (found ?y))) (found ?x)))
(:action pick :parameters (?a - agent ?x) :precondition (close_by ?a ?x) :effect (and))
(:action put :parameters (?a - agent ?y) :precondition (and) :effect (and))
(:action open :parameters (?a - agent ?x) :precondition (close_by ?a ?x) :effect (and))
(:action close :parameters (?a - agent ?x) :precondition (and) :effect (and))
(:action slice :parameters (?a - agent ?x) :precondition (close_by ?a ?x) :effect (and))
(:action turn_on :parameters (?a - agent ?x) :precondition (close_by ?a ?x) :effect (and))
(:action turn_off :parameters (?a - agent ?x) :precondition (close_by ?a ?x) :effect (and))
(:action break :parameters (?a - agent ?x) :precondition (and) :effect (and))
(:action cook :parameters (?a - agent ?x) :precondition (and) :effect (and))
(:action dirty :parameters (?a - agent ?x) :precondition (and) :effect (and))
(:action clean :parameters (?a - agent ?x) :precondition (and) :effect (and))
(:action fill_liquid
  :parameters (?a - agent ?x - object ?l - liquid)
  :precondition (and)
  :effect (and))
(:action empty_liquid :parameters (?a - agent ?x) :precondition (and) :effect (and))
(:action use_up :parameters (?a - agent ?x) :precondition (and) :effect (and))
(:action drop
  :parameters (?a - agent)
  :precondition (and)
  :effect (forall (?x) (when (holds ?a ?x) (dropped ?x))))
(:action throw
  :parameters (?a - agent)
  :precondition (and)
  :effect (forall (?x) (when (holds ?a ?x) (thrown ?x))))
; what is held is turned over, above what was found last; whatever liquid is in it runs out
(:action pour
  :parameters (?a - agent)
  :precondition (hand_full ?a)
  :effect (forall (?x) (when (holds ?a ?x) (and
    (when (filled ?x) (poured ?x))
    (not (filled ?x))
    (forall (?l - liquid) (not (contains ?x ?l)))
    (forall (?y) (and
      (when (not (and (found ?y) (not (= ?x ?y)) (filled ?x))) (not (poured_over ?x ?y)))
      (when (and (found ?y) (not (= ?x ?y)) (filled ?x)) (poured_over ?x ?y))))))))
