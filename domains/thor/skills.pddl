; EB-ALFRED: its skills on AI2-THOR (domains/thor). A skill adds its conditions and effects to the
; engine's action of the same sense; what is found last decides what is near.

(:predicates
  (found ?x) (close_by ?x) (was_cleaned ?x) (was_heated ?x) (was_cooled ?x) (ready_to_slice ?a))

(:derived (close_by ?x)
  (or (found ?x)
      (exists (?f) (and (found ?f)
        (or (inside ?x ?f) (inside ?f ?x) (waters ?x ?f) (waters ?f ?x)
            (exists (?b) (and (waters ?f ?b) (inside ?x ?b)))
            (exists (?p) (and (in ?f ?p) (in ?x ?p))))))))
(:derived (ready_to_slice ?a) (and))

(:action find
  :parameters (?a - agent ?x)
  :precondition (present ?x)
  :effect (and (forall (?y) (not (found ?y))) (found ?x)))
(:action pick :parameters (?a - agent ?x) :precondition (close_by ?x) :effect (and))
(:action put :parameters (?a - agent ?y) :precondition (close_by ?y) :effect (and))
(:action drop :parameters (?a - agent) :precondition (and) :effect (and))
(:action open
  :parameters (?a - agent ?x)
  :precondition (and (close_by ?x) (not (open ?x)))
  :effect (and))
; what is in a fridge is cooled when it is closed
(:action close
  :parameters (?a - agent ?x)
  :precondition (and (close_by ?x) (open ?x))
  :effect (forall (?c) (when (and (inside ?c ?x) (exists (?f - Fridge) (= ?f ?x))) (was_cooled ?c))))
; what is in a microwave is heated, what is in a sink is cleaned, when it is turned on
(:action turn_on
  :parameters (?a - agent ?x)
  :precondition (close_by ?x)
  :effect (and
    (forall (?c) (when (and (inside ?c ?x) (is_microwave ?x)) (was_heated ?c)))
    (forall (?c) (when (exists (?b) (and (waters ?x ?b) (inside ?c ?b))) (was_cleaned ?c)))))
(:action turn_off :parameters (?a - agent ?x) :precondition (close_by ?x) :effect (and))
(:action slice
  :parameters (?a - agent ?x)
  :precondition (and (close_by ?x) (ready_to_slice ?a))
  :effect (and))
