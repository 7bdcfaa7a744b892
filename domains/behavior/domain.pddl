; The symbolic BEHAVIOR world: a robot with two hands among objects that lie in and on each other.
;
; What the actions need and do follows the Embodied Agent Interface, Table 27. Preconditions are
; written in the order in which the simulator's executors test them. Where the published executors
; do something else than the table says, a derived predicate stands that can be redefined; what is
; written here is the table's reading.

(define (domain behavior)
  (:requirements :adl :derived-predicates)

  ; parts are what is left of an object that was sliced
  (:types agent floor thing - object part - thing)

  (:predicates
    ; states
    (cooked ?x) (dusty ?x) (frozen ?x) (open ?x) (sliced ?x) (soaked ?x) (stained ?x)
    (toggled_on ?x) (burnt ?x)
    ; what the robot holds
    (holds_rh ?c ?x) (holds_lh ?c ?x)
    ; how things lie: what is in or on something moves with it
    (placed_inside ?x ?y) (placed_ontop ?x ?y)
    (placed_onfloor ?x ?y) (placed_under ?x ?y) (placed_nextto ?x ?y)
    ; what can happen to an object, and what it serves as
    (cookable ?x) (dustyable ?x) (freezable ?x) (openable ?x) (sliceable ?x) (soakable ?x)
    (stainable ?x) (toggleable ?x) (burnable ?x) (slicer ?x) (cleaning_tool ?x)
    (part_of ?p ?x)
    ; properties that follow from the name of an object (see classes.json)
    (basin ?x) (dishwasher ?x) (teapot ?x) (saucepan ?x) (pan ?x) (fridge ?x) (detergent ?x)
    ; derived: relations as goals see them
    (inside ?x ?y) (ontop ?x ?y) (onfloor ?x ?y) (under ?x ?y) (nextto ?x ?y)
    ; derived: parts, hands, places
    (is_floor ?x) (is_part ?x) (cut_up ?x) (present ?x) (can_be_sliced ?x) (placed ?x ?y)
    (holds ?c ?x) (rh_full ?c) (lh_full ?c) (hand_free ?c) (hand_to_spare ?c)
    (has_slicer ?c) (borne_rh ?c ?x) (borne_lh ?c ?x)
    (drop_floor ?f) (shut_in ?x) (in_water ?x) (in_basin ?x) (in_washer ?x) (cooker ?x)
    (in_cooker ?x) (in_fridge ?x) (can_freeze ?x) (can_dust ?c ?x) (can_scrub ?c ?x)
    (one_relation)
  )

  ; ------------------------------------------------------------------ objects and their parts
  (:derived (is_floor ?x) (exists (?f - floor) (= ?f ?x)))
  (:derived (is_part ?x) (exists (?p - part) (= ?p ?x)))
  ; of something sliced only the parts are left
  (:derived (cut_up ?x) (and (sliced ?x) (not (is_part ?x))))
  (:derived (present ?x) (or (sliced ?x) (not (is_part ?x))))
  (:derived (can_be_sliced ?x) (sliceable ?x))

  ; ------------------------------------------------------------------ relations
  (:derived (placed ?x ?y) (or (placed_inside ?x ?y) (placed_ontop ?x ?y)))
  ; what is in or on something is inside of all that this is inside of; something sliced is where
  ; all its parts are
  (:derived (inside ?x ?y)
    (or (placed_inside ?x ?y)
        (exists (?z) (and (placed ?x ?z) (inside ?z ?y)))
        (and (cut_up ?x) (forall (?p) (or (not (part_of ?p ?x)) (inside ?p ?y))))))
  (:derived (ontop ?x ?y)
    (or (placed_ontop ?x ?y)
        (and (cut_up ?x) (forall (?p) (or (not (part_of ?p ?x)) (placed_ontop ?p ?y))))))
  (:derived (onfloor ?x ?y)
    (or (placed_onfloor ?x ?y)
        (and (cut_up ?x) (forall (?p) (or (not (part_of ?p ?x)) (placed_onfloor ?p ?y))))))
  (:derived (under ?x ?y)
    (or (placed_under ?x ?y)
        (and (cut_up ?x) (forall (?p) (or (not (part_of ?p ?x)) (placed_under ?p ?y))))))
  (:derived (nextto ?x ?y)
    (or (placed_nextto ?x ?y)
        (and (cut_up ?x) (forall (?p) (or (not (part_of ?p ?x)) (placed_nextto ?p ?y))))))
  ; whether two objects have only one of the relations under, next to and on the floor
  (:derived (one_relation) (or))

  ; ------------------------------------------------------------------ hands
  (:derived (holds ?c ?x) (or (holds_rh ?c ?x) (holds_lh ?c ?x)))
  (:derived (rh_full ?c) (exists (?x) (holds_rh ?c ?x)))
  (:derived (lh_full ?c) (exists (?x) (holds_lh ?c ?x)))
  (:derived (hand_free ?c) (or (not (rh_full ?c)) (not (lh_full ?c))))
  ; what slicing, drying and thawing ask of the hands
  (:derived (hand_to_spare ?c) (and))
  (:derived (has_slicer ?c) (exists (?k) (and (holds ?c ?k) (slicer ?k))))
  ; what a hand holds, with all that is in or on it
  (:derived (borne_rh ?c - agent ?x)
    (or (holds_rh ?c ?x) (exists (?y) (and (placed ?x ?y) (borne_rh ?c ?y)))))
  (:derived (borne_lh ?c - agent ?x)
    (or (holds_lh ?c ?x) (exists (?y) (and (placed ?x ?y) (borne_lh ?c ?y)))))

  ; where something released falls: nobody says in which room the robot is, so there must be
  ; only one floor
  (:derived (drop_floor ?f) (and (is_floor ?f) (forall (?g - floor) (= ?g ?f))))

  ; ------------------------------------------------------------------ places
  (:derived (shut_in ?x)
    (exists (?y) (or (and (placed_inside ?x ?y) (openable ?y) (not (open ?y)))
                     (and (placed ?x ?y) (shut_in ?y)))))
  (:derived (in_water ?x)
    (exists (?y) (and (placed ?x ?y)
                      (or (in_water ?y)
                          (and (or (basin ?y) (teapot ?y))
                               (or (toggled_on ?y) (not (toggleable ?y))))))))
  (:derived (in_basin ?x)
    (exists (?y) (and (placed ?x ?y) (or (in_basin ?y) (and (basin ?y) (toggled_on ?y))))))
  (:derived (in_washer ?x)
    (exists (?y) (and (placed ?x ?y)
                      (or (in_washer ?y) (and (dishwasher ?y) (toggled_on ?y))))))
  (:derived (cooker ?x) (or (saucepan ?x) (pan ?x)))
  (:derived (in_cooker ?x)
    (exists (?y) (and (placed ?x ?y) (or (in_cooker ?y) (cooker ?y)))))
  (:derived (in_fridge ?x)
    (exists (?y) (and (placed ?x ?y) (or (in_fridge ?y) (fridge ?y)))))
  (:derived (can_freeze ?x) (in_fridge ?x))

  ; ------------------------------------------------------------------ cleaning
  (:derived (can_dust ?c ?x)
    (or (in_basin ?x) (in_washer ?x)
        (exists (?t) (and (holds ?c ?t) (cleaning_tool ?t)))))
  (:derived (can_scrub ?c ?x)
    (or (in_basin ?x)
        (exists (?t) (and (holds ?c ?t)
                          (or (detergent ?t) (and (cleaning_tool ?t) (soaked ?t)))))))

  ; ------------------------------------------------------------------ going and grasping
  ; the robot goes where it acts without being told
  (:action navigate_to
    :parameters (?c - agent ?x)
    :precondition (and (not (shut_in ?x)) (present ?x) (not (cut_up ?x))))

  (:action left_grasp
    :parameters (?c - agent ?x)
    :precondition (and (not (is_floor ?x)) (not (holds ?c ?x)) (not (lh_full ?c))
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)))
    :effect (and
      (holds_lh ?c ?x)
      (forall (?o) (and (not (placed_inside ?x ?o)) (not (placed_ontop ?x ?o))
                        (not (placed_onfloor ?x ?o)) (not (placed_onfloor ?o ?x))
                        (not (placed_under ?x ?o)) (not (placed_under ?o ?x))
                        (not (placed_nextto ?x ?o)) (not (placed_nextto ?o ?x))))))

  (:action right_grasp
    :parameters (?c - agent ?x)
    :precondition (and (not (is_floor ?x)) (not (holds ?c ?x)) (not (rh_full ?c))
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)))
    :effect (and
      (holds_rh ?c ?x)
      (forall (?o) (and (not (placed_inside ?x ?o)) (not (placed_ontop ?x ?o))
                        (not (placed_onfloor ?x ?o)) (not (placed_onfloor ?o ?x))
                        (not (placed_under ?x ?o)) (not (placed_under ?o ?x))
                        (not (placed_nextto ?x ?o)) (not (placed_nextto ?o ?x))))))

  (:action left_release
    :parameters (?c - agent ?x)
    :precondition (and (holds_lh ?c ?x) (not (shut_in ?x)) (present ?x) (not (cut_up ?x)))
    :effect (and (not (holds_lh ?c ?x))
                 (forall (?f) (when (drop_floor ?f) (placed_onfloor ?x ?f)))))

  (:action right_release
    :parameters (?c - agent ?x)
    :precondition (and (holds_rh ?c ?x) (not (shut_in ?x)) (present ?x) (not (cut_up ?x)))
    :effect (and (not (holds_rh ?c ?x))
                 (forall (?f) (when (drop_floor ?f) (placed_onfloor ?x ?f)))))

  ; ------------------------------------------------------------------ placing

  (:action left_place_ontop
    :parameters (?c - agent ?y)
    :precondition (and (lh_full ?c) (not (borne_lh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)))
    :effect (forall (?h) (when (holds_lh ?c ?h) (and
      (not (holds_lh ?c ?h))
      (forall (?o) (when (not (is_floor ?y))
        (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o)))))
      (when (not (is_floor ?y)) (placed_ontop ?h ?y))
      (when (is_floor ?y) (placed_onfloor ?h ?y))
      (when (and (is_floor ?y) (one_relation))
        (and (not (placed_under ?h ?y)) (not (placed_nextto ?h ?y))))))))

  (:action left_place_inside
    :parameters (?c - agent ?y)
    :precondition (and (lh_full ?c) (not (borne_lh ?c ?y)) (or (not (openable ?y)) (open ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)) (not (is_floor ?y)))
    :effect (forall (?h) (when (holds_lh ?c ?h) (and
      (not (holds_lh ?c ?h))
      (forall (?o) (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o))))
      (placed_inside ?h ?y)))))

  ; what is put next to or under something lies on the same thing as that
  (:action left_place_nextto
    :parameters (?c - agent ?y)
    :precondition (and (lh_full ?c) (not (borne_lh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)))
    :effect (forall (?h) (when (holds_lh ?c ?h) (and
      (not (holds_lh ?c ?h))
      (when (not (and (one_relation) (is_floor ?y))) (placed_nextto ?h ?y))
      (placed_nextto ?y ?h)
      (forall (?o) (when (exists (?z) (placed ?y ?z))
        (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o)))))
      (forall (?z) (when (placed_inside ?y ?z) (placed_inside ?h ?z)))
      (forall (?z) (when (placed_ontop ?y ?z) (placed_ontop ?h ?z)))
      (forall (?f) (when (and (placed_onfloor ?y ?f) (not (exists (?z) (placed ?y ?z))))
        (placed_onfloor ?h ?f)))
      (when (is_floor ?y) (placed_onfloor ?h ?y))
      (when (one_relation) (and
        (not (placed_under ?h ?y)) (not (placed_under ?y ?h))
        (not (placed_onfloor ?h ?y)) (not (placed_onfloor ?y ?h))))))))

  (:action left_place_under
    :parameters (?c - agent ?y)
    :precondition (and (lh_full ?c) (not (borne_lh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)))
    :effect (forall (?h) (when (holds_lh ?c ?h) (and
      (not (holds_lh ?c ?h))
      (when (not (and (one_relation) (is_floor ?y))) (placed_under ?h ?y))
      (forall (?o) (when (exists (?z) (placed ?y ?z))
        (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o)))))
      (forall (?z) (when (placed_inside ?y ?z) (placed_inside ?h ?z)))
      (forall (?z) (when (placed_ontop ?y ?z) (placed_ontop ?h ?z)))
      (forall (?f) (when (and (placed_onfloor ?y ?f) (not (exists (?z) (placed ?y ?z))))
        (placed_onfloor ?h ?f)))
      (when (is_floor ?y) (placed_onfloor ?h ?y))
      (when (one_relation)
        (and (not (placed_nextto ?h ?y)) (not (placed_onfloor ?h ?y))))))))

  (:action left_place_nextto_ontop
    :parameters (?c - agent ?y ?z)
    :precondition (and (lh_full ?c) (not (borne_lh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y))
                       (not (borne_lh ?c ?z)) (not (shut_in ?z)) (present ?z)
                       (not (cut_up ?z)))
    :effect (forall (?h) (when (holds_lh ?c ?h) (and
      (not (holds_lh ?c ?h))
      (when (not (and (one_relation) (is_floor ?z) (= ?y ?z))) (placed_nextto ?h ?y))
      (placed_nextto ?y ?h)
      (forall (?o) (when (not (is_floor ?z))
        (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o)))))
      (when (not (is_floor ?z)) (placed_ontop ?h ?z))
      (when (is_floor ?z) (placed_onfloor ?h ?z))
      (when (one_relation) (and
        (not (placed_under ?h ?y)) (not (placed_under ?y ?h))
        (not (placed_onfloor ?h ?y)) (not (placed_onfloor ?y ?h))))))))

  (:action left_transfer_contents_inside
    :parameters (?c - agent ?y)
    :precondition (and (lh_full ?c) (not (borne_lh ?c ?y)) (or (not (openable ?y)) (open ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)) (not (is_floor ?y)))
    :effect (forall (?h ?x) (when (and (holds_lh ?c ?h) (placed ?x ?h)) (and
      (not (placed_inside ?x ?h)) (not (placed_ontop ?x ?h)) (placed_inside ?x ?y)))))

  (:action left_transfer_contents_ontop
    :parameters (?c - agent ?y)
    :precondition (and (or (not (lh_full ?c))
                           (exists (?h ?x) (and (holds_lh ?c ?h) (placed ?x ?h))))
                       (lh_full ?c) (not (borne_lh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)) (not (is_floor ?y)))
    :effect (forall (?h ?x) (when (and (holds_lh ?c ?h) (placed ?x ?h)) (and
      (not (placed_inside ?x ?h)) (not (placed_ontop ?x ?h)) (placed_ontop ?x ?y)))))

  (:action right_place_ontop
    :parameters (?c - agent ?y)
    :precondition (and (rh_full ?c) (not (borne_rh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)))
    :effect (forall (?h) (when (holds_rh ?c ?h) (and
      (not (holds_rh ?c ?h))
      (forall (?o) (when (not (is_floor ?y))
        (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o)))))
      (when (not (is_floor ?y)) (placed_ontop ?h ?y))
      (when (is_floor ?y) (placed_onfloor ?h ?y))
      (when (and (is_floor ?y) (one_relation))
        (and (not (placed_under ?h ?y)) (not (placed_nextto ?h ?y))))))))

  (:action right_place_inside
    :parameters (?c - agent ?y)
    :precondition (and (rh_full ?c) (not (borne_rh ?c ?y)) (or (not (openable ?y)) (open ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)) (not (is_floor ?y)))
    :effect (forall (?h) (when (holds_rh ?c ?h) (and
      (not (holds_rh ?c ?h))
      (forall (?o) (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o))))
      (placed_inside ?h ?y)))))

  ; what is put next to or under something lies on the same thing as that
  (:action right_place_nextto
    :parameters (?c - agent ?y)
    :precondition (and (rh_full ?c) (not (borne_rh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)))
    :effect (forall (?h) (when (holds_rh ?c ?h) (and
      (not (holds_rh ?c ?h))
      (when (not (and (one_relation) (is_floor ?y))) (placed_nextto ?h ?y))
      (placed_nextto ?y ?h)
      (forall (?o) (when (exists (?z) (placed ?y ?z))
        (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o)))))
      (forall (?z) (when (placed_inside ?y ?z) (placed_inside ?h ?z)))
      (forall (?z) (when (placed_ontop ?y ?z) (placed_ontop ?h ?z)))
      (forall (?f) (when (and (placed_onfloor ?y ?f) (not (exists (?z) (placed ?y ?z))))
        (placed_onfloor ?h ?f)))
      (when (is_floor ?y) (placed_onfloor ?h ?y))
      (when (one_relation) (and
        (not (placed_under ?h ?y)) (not (placed_under ?y ?h))
        (not (placed_onfloor ?h ?y)) (not (placed_onfloor ?y ?h))))))))

  (:action right_place_under
    :parameters (?c - agent ?y)
    :precondition (and (rh_full ?c) (not (borne_rh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)))
    :effect (forall (?h) (when (holds_rh ?c ?h) (and
      (not (holds_rh ?c ?h))
      (when (not (and (one_relation) (is_floor ?y))) (placed_under ?h ?y))
      (forall (?o) (when (exists (?z) (placed ?y ?z))
        (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o)))))
      (forall (?z) (when (placed_inside ?y ?z) (placed_inside ?h ?z)))
      (forall (?z) (when (placed_ontop ?y ?z) (placed_ontop ?h ?z)))
      (forall (?f) (when (and (placed_onfloor ?y ?f) (not (exists (?z) (placed ?y ?z))))
        (placed_onfloor ?h ?f)))
      (when (is_floor ?y) (placed_onfloor ?h ?y))
      (when (one_relation)
        (and (not (placed_nextto ?h ?y)) (not (placed_onfloor ?h ?y))))))))

  (:action right_place_nextto_ontop
    :parameters (?c - agent ?y ?z)
    :precondition (and (rh_full ?c) (not (borne_rh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y))
                       (not (borne_rh ?c ?z)) (not (shut_in ?z)) (present ?z)
                       (not (cut_up ?z)))
    :effect (forall (?h) (when (holds_rh ?c ?h) (and
      (not (holds_rh ?c ?h))
      (when (not (and (one_relation) (is_floor ?z) (= ?y ?z))) (placed_nextto ?h ?y))
      (placed_nextto ?y ?h)
      (forall (?o) (when (not (is_floor ?z))
        (and (not (placed_inside ?h ?o)) (not (placed_ontop ?h ?o)))))
      (when (not (is_floor ?z)) (placed_ontop ?h ?z))
      (when (is_floor ?z) (placed_onfloor ?h ?z))
      (when (one_relation) (and
        (not (placed_under ?h ?y)) (not (placed_under ?y ?h))
        (not (placed_onfloor ?h ?y)) (not (placed_onfloor ?y ?h))))))))

  (:action right_transfer_contents_inside
    :parameters (?c - agent ?y)
    :precondition (and (rh_full ?c) (not (borne_rh ?c ?y)) (or (not (openable ?y)) (open ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)) (not (is_floor ?y)))
    :effect (forall (?h ?x) (when (and (holds_rh ?c ?h) (placed ?x ?h)) (and
      (not (placed_inside ?x ?h)) (not (placed_ontop ?x ?h)) (placed_inside ?x ?y)))))

  (:action right_transfer_contents_ontop
    :parameters (?c - agent ?y)
    :precondition (and (or (not (rh_full ?c))
                           (exists (?h ?x) (and (holds_rh ?c ?h) (placed ?x ?h))))
                       (rh_full ?c) (not (borne_rh ?c ?y))
                       (not (shut_in ?y)) (present ?y) (not (cut_up ?y)) (not (is_floor ?y)))
    :effect (forall (?h ?x) (when (and (holds_rh ?c ?h) (placed ?x ?h)) (and
      (not (placed_inside ?x ?h)) (not (placed_ontop ?x ?h)) (placed_ontop ?x ?y)))))

  ; ------------------------------------------------------------------ doors and switches
  (:action open
    :parameters (?c - agent ?x)
    :precondition (and (hand_free ?c) (openable ?x) (not (open ?x)) (not (shut_in ?x)) (present ?x)
                       (not (cut_up ?x)) (not (toggled_on ?x)))
    :effect (open ?x))

  (:action close
    :parameters (?c - agent ?x)
    :precondition (and (hand_free ?c) (openable ?x) (open ?x) (not (shut_in ?x)) (present ?x)
                       (not (cut_up ?x)))
    :effect (not (open ?x)))

  ; a dishwasher that is switched on cleans what is in it
  (:action toggle_on
    :parameters (?c - agent ?x)
    :precondition (and (hand_free ?c) (toggleable ?x) (not (toggled_on ?x))
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)) (not (open ?x)))
    :effect (and (toggled_on ?x)
                 (forall (?o) (when (and (dishwasher ?x) (placed ?o ?x))
                   (and (not (dusty ?o)) (not (stained ?o)))))))

  (:action toggle_off
    :parameters (?c - agent ?x)
    :precondition (and (hand_free ?c) (toggleable ?x) (toggled_on ?x)
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)))
    :effect (not (toggled_on ?x)))

  ; ------------------------------------------------------------------ states
  ; the parts come to be with the states of the whole, and where it lies
  (:action slice
    :parameters (?c - agent ?x)
    :precondition (and (has_slicer ?c) (hand_to_spare ?c) (can_be_sliced ?x) (not (sliced ?x))
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)))
    :effect (and
      (sliced ?x)
      (forall (?p) (when (part_of ?p ?x) (sliced ?p)))
      (forall (?p) (when (and (part_of ?p ?x) (cooked ?x)) (cooked ?p)))
      (forall (?p) (when (and (part_of ?p ?x) (cookable ?x) (not (cooked ?x)))
        (not (cooked ?p))))
      (forall (?p) (when (and (part_of ?p ?x) (dusty ?x)) (dusty ?p)))
      (forall (?p) (when (and (part_of ?p ?x) (dustyable ?x) (not (dusty ?x)))
        (not (dusty ?p))))
      (forall (?p) (when (and (part_of ?p ?x) (frozen ?x)) (frozen ?p)))
      (forall (?p) (when (and (part_of ?p ?x) (freezable ?x) (not (frozen ?x)))
        (not (frozen ?p))))
      (forall (?p) (when (and (part_of ?p ?x) (soaked ?x)) (soaked ?p)))
      (forall (?p) (when (and (part_of ?p ?x) (soakable ?x) (not (soaked ?x)))
        (not (soaked ?p))))
      (forall (?p) (when (and (part_of ?p ?x) (stained ?x)) (stained ?p)))
      (forall (?p) (when (and (part_of ?p ?x) (stainable ?x) (not (stained ?x)))
        (not (stained ?p))))
      (forall (?p) (when (and (part_of ?p ?x) (burnt ?x)) (burnt ?p)))
      (forall (?p) (when (and (part_of ?p ?x) (burnable ?x) (not (burnt ?x)))
        (not (burnt ?p))))
      (forall (?p ?o) (when (and (part_of ?p ?x) (exists (?z) (placed ?x ?z)))
        (and (not (placed_inside ?p ?o)) (not (placed_ontop ?p ?o)))))
      (forall (?p ?o) (when (and (part_of ?p ?x) (placed_inside ?x ?o)) (placed_inside ?p ?o)))
      (forall (?p ?o) (when (and (part_of ?p ?x) (placed_ontop ?x ?o)) (placed_ontop ?p ?o)))
      (forall (?p ?o) (when (and (part_of ?p ?x) (placed_onfloor ?x ?o)) (placed_onfloor ?p ?o)))
      (forall (?p ?o) (when (and (part_of ?p ?x) (placed_onfloor ?o ?x)) (placed_onfloor ?o ?p)))
      (forall (?p ?o) (when (and (part_of ?p ?x) (placed_under ?x ?o)) (placed_under ?p ?o)))
      (forall (?p ?o) (when (and (part_of ?p ?x) (placed_under ?o ?x)) (placed_under ?o ?p)))
      (forall (?p ?o) (when (and (part_of ?p ?x) (placed_nextto ?x ?o)) (placed_nextto ?p ?o)))
      (forall (?p ?o) (when (and (part_of ?p ?x) (placed_nextto ?o ?x)) (placed_nextto ?o ?p)))
      (forall (?o) (and (not (placed_inside ?x ?o)) (not (placed_ontop ?x ?o))
                        (not (placed_onfloor ?x ?o)) (not (placed_onfloor ?o ?x))
                        (not (placed_under ?x ?o)) (not (placed_under ?o ?x))
                        (not (placed_nextto ?x ?o)) (not (placed_nextto ?o ?x))))))

  ; something sliced is in a state if all its parts are
  (:action cook
    :parameters (?c - agent ?x)
    :precondition (and (hand_free ?c) (cookable ?x) (not (cooked ?x))
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)) (in_cooker ?x))
    :effect (and (cooked ?x)
      (forall (?w) (when (and (part_of ?x ?w) (sliced ?w)
        (forall (?p) (or (not (part_of ?p ?w)) (= ?p ?x) (cooked ?p)))) (cooked ?w)))))

  (:action freeze
    :parameters (?c - agent ?x)
    :precondition (and (hand_free ?c) (freezable ?x) (not (frozen ?x))
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)) (can_freeze ?x))
    :effect (and (frozen ?x)
      (forall (?w) (when (and (part_of ?x ?w) (sliced ?w)
        (forall (?p) (or (not (part_of ?p ?w)) (= ?p ?x) (frozen ?p)))) (frozen ?w)))))

  (:action unfreeze
    :parameters (?c - agent ?x)
    :precondition (and (hand_to_spare ?c) (freezable ?x) (frozen ?x)
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)))
    :effect (and (not (frozen ?x))
      (forall (?w) (when (and (part_of ?x ?w) (sliced ?w)) (not (frozen ?w))))))

  (:action soak
    :parameters (?c - agent ?x)
    :precondition (and (hand_free ?c) (soakable ?x) (not (soaked ?x))
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)) (in_water ?x))
    :effect (and (soaked ?x)
      (forall (?w) (when (and (part_of ?x ?w) (sliced ?w)
        (forall (?p) (or (not (part_of ?p ?w)) (= ?p ?x) (soaked ?p)))) (soaked ?w)))))

  (:action dry
    :parameters (?c - agent ?x)
    :precondition (and (hand_to_spare ?c) (soakable ?x) (soaked ?x)
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x)))
    :effect (and (not (soaked ?x))
      (forall (?w) (when (and (part_of ?x ?w) (sliced ?w)) (not (soaked ?w))))))

  (:action clean
    :parameters (?c - agent ?x)
    :precondition (and (or (dustyable ?x) (stainable ?x)) (or (dusty ?x) (stained ?x))
                       (not (shut_in ?x)) (present ?x) (not (cut_up ?x))
                       (or (and (dusty ?x) (can_dust ?c ?x))
                           (and (stained ?x) (can_scrub ?c ?x))))
    ; what the tool is not for stays
    :effect (and
      (not (dusty ?x))
      (not (stained ?x))
      (when (and (dusty ?x) (not (can_dust ?c ?x)) (stained ?x) (can_scrub ?c ?x)) (dusty ?x))
      (when (and (stained ?x) (not (can_scrub ?c ?x)) (dusty ?x) (can_dust ?c ?x)) (stained ?x))
      (forall (?w) (when (and (part_of ?x ?w) (sliced ?w) (dusty ?x) (can_dust ?c ?x))
        (not (dusty ?w))))
      (forall (?w) (when (and (part_of ?x ?w) (sliced ?w) (stained ?x) (can_scrub ?c ?x))
        (not (stained ?w))))))
)
