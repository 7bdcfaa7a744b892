; The symbolic VirtualHome world: 42 household actions over a scene graph.
;
; Preconditions are written in the order in which the simulator's executors test them. Every
; place where the published executors do something odd is behind a derived predicate that a
; file in quirks/ can redefine; what stands here is the sensible reading.

(define (domain virtualhome)
  (:requirements :adl :derived-predicates)

  (:types room character thing - object)

  (:predicates
    ; states
    (closed ?x) (open ?x) (on ?x) (off ?x) (plugged_in ?x) (plugged_out ?x)
    (clean ?x) (dirty ?x) (sitting ?x) (lying ?x)
    ; relations
    (ontop ?x ?y) (inside ?x ?y) (between ?x ?y) (next_to ?x ?y) (facing ?x ?y)
    (holds_rh ?x ?y) (holds_lh ?x ?y)
    ; where a grabbed object was taken from
    (from_on ?x ?p) (from_inside ?x ?p) (from_close ?x ?p) (from_room ?x ?p)
    ; properties of objects
    (surfaces ?x) (grabbable ?x) (sittable ?x) (lieable ?x) (hangable ?x) (drinkable ?x)
    (eatable ?x) (recipient ?x) (cuttable ?x) (pourable ?x) (can_open ?x) (has_switch ?x)
    (readable ?x) (lookable ?x) (containers ?x) (clothes ?x) (person ?x) (body_part ?x)
    (cover_object ?x) (has_plug ?x) (has_paper ?x) (movable ?x) (cream ?x)
    ; properties that follow from the class of an object (see classes.json)
    (liftable ?x) (openable ?x) (slidable ?x) (typeable ?x) (squeezable ?x) (wettable ?x)
    (computer ?x) (knife ?x) (water ?x)
    (seats_two ?x) (seats_four ?x) (beds_two ?x) (beds_three ?x)
    ; derived
    (is_room ?x) (in_room ?x ?r) (placed ?x) (near ?c ?x) (toward ?c ?x) (holds ?c ?x)
    (rh_full ?c) (lh_full ?c) (hand_free ?c) (shut_in ?x) (grabbed ?c ?x) (has_origin ?x)
    (place_on ?x ?p) (place_inside ?x ?p) (place_close ?x ?p) (place_room ?x ?p)
    (from ?x ?p)
    (return_open ?c ?x ?p) (returnable ?c ?x)
    (reaches ?c ?x ?o) (carried_to ?c ?x ?r) (vacates ?c ?s) (same_room ?x ?y)
    (one_on ?x) (two_on ?x) (three_on ?x) (four_on ?x) (seat_full ?x) (bed_full ?x)
  )

  ; ------------------------------------------------------------------ rooms and reach
  (:derived (is_room ?x) (exists (?r - room) (= ?r ?x)))
  (:derived (in_room ?x ?r)
    (and (is_room ?r) (or (= ?x ?r) (and (inside ?x ?r) (not (is_room ?x))))))
  (:derived (placed ?x) (exists (?r - room) (in_room ?x ?r)))
  (:derived (same_room ?x ?y) (exists (?r - room) (and (in_room ?x ?r) (in_room ?y ?r))))
  (:derived (near ?c ?x)
    (or (next_to ?c ?x)
        (exists (?y) (and (next_to ?c ?y) (or (next_to ?y ?x) (ontop ?x ?y))))))
  (:derived (toward ?c ?x)
    (or (facing ?c ?x) (exists (?y) (and (facing ?c ?y) (facing ?y ?x)))))
  ; what ends up next to ?c when it goes to ?x
  (:derived (reaches ?c ?x ?o)
    (or (holds ?c ?o)
        (ontop ?x ?o)
        (and (not (is_room ?x)) (or (= ?o ?x) (body_part ?o)))
        (and (inside ?x ?o) (not (is_room ?x)) (not (is_room ?o)) (not (= ?x ?c)))
        (and (can_open ?x) (inside ?o ?x) (not (holds ?c ?x)))))
  ; the room into which held things go when ?c goes to ?x
  (:derived (carried_to ?c ?x ?r) (in_room ?x ?r))

  ; ------------------------------------------------------------------ hands
  (:derived (holds ?c ?x) (or (holds_rh ?c ?x) (holds_lh ?c ?x)))
  (:derived (rh_full ?c) (exists (?o) (holds_rh ?c ?o)))
  (:derived (lh_full ?c) (exists (?o) (holds_lh ?c ?o)))
  (:derived (hand_free ?c) (or (not (rh_full ?c)) (not (lh_full ?c))))
  (:derived (shut_in ?x) (exists (?b) (and (inside ?x ?b) (closed ?b) (not (is_room ?b)))))
  (:derived (grabbed ?c ?x) (holds ?c ?x))
  (:derived (from ?x ?p)
    (or (from_on ?x ?p) (from_inside ?x ?p) (from_close ?x ?p) (from_room ?x ?p)))
  (:derived (has_origin ?x) (exists (?p) (from ?x ?p)))
  ; the place that is remembered when ?x is grabbed
  (:derived (place_on ?x ?p) (and (ontop ?x ?p) (not (is_room ?p))))
  (:derived (place_inside ?x ?p)
    (and (inside ?x ?p) (not (is_room ?p))
         (not (exists (?q) (and (ontop ?x ?q) (not (is_room ?q)))))))
  (:derived (place_close ?x ?p) (or))
  ; what is on and in nothing else is taken from its room
  (:derived (place_room ?x ?p)
    (and (is_room ?p) (inside ?x ?p)
         (not (exists (?q) (and (or (ontop ?x ?q) (inside ?x ?q)) (not (is_room ?q)))))))
  (:derived (return_open ?c ?x ?p)
    (and (holds ?c ?x)
         (or (near ?c ?p) (and (from_room ?x ?p) (in_room ?c ?p)))
         (or (not (from_inside ?x ?p)) (not (can_open ?p)) (open ?p))))
  (:derived (returnable ?c ?x)
    (exists (?p) (and (from ?x ?p) (return_open ?c ?x ?p))))

  ; ------------------------------------------------------------------ seats and beds
  ; the seat that ?c leaves when it stands up
  (:derived (vacates ?c ?s) (ontop ?c ?s))
  (:derived (one_on ?x) (exists (?a) (ontop ?a ?x)))
  (:derived (two_on ?x)
    (exists (?a ?b) (and (ontop ?a ?x) (ontop ?b ?x) (not (= ?a ?b)))))
  (:derived (three_on ?x)
    (exists (?a ?b ?d)
      (and (ontop ?a ?x) (ontop ?b ?x) (ontop ?d ?x)
           (not (= ?a ?b)) (not (= ?a ?d)) (not (= ?b ?d)))))
  (:derived (four_on ?x)
    (exists (?a ?b ?d ?e)
      (and (ontop ?a ?x) (ontop ?b ?x) (ontop ?d ?x) (ontop ?e ?x)
           (not (= ?a ?b)) (not (= ?a ?d)) (not (= ?a ?e))
           (not (= ?b ?d)) (not (= ?b ?e)) (not (= ?d ?e)))))
  (:derived (seat_full ?x)
    (and (one_on ?x)
         (or (not (seats_two ?x)) (two_on ?x))
         (or (not (seats_four ?x)) (four_on ?x))))
  (:derived (bed_full ?x)
    (and (one_on ?x)
         (or (not (beds_two ?x)) (two_on ?x))
         (or (not (beds_three ?x)) (three_on ?x))))

  ; ------------------------------------------------------------------ going somewhere
  (:action walk
    :parameters (?c - character ?x)
    :precondition (and (not (sitting ?c)) (not (lying ?c)) (placed ?c) (placed ?x))
    :effect (and
      (forall (?o) (and (not (inside ?c ?o)) (not (inside ?o ?c))
                        (not (next_to ?c ?o)) (not (next_to ?o ?c))
                        (not (facing ?c ?o)) (not (facing ?o ?c))))
      (forall (?h ?o) (when (holds ?c ?h)
        (and (not (inside ?h ?o)) (not (inside ?o ?h))
             (not (next_to ?h ?o)) (not (next_to ?o ?h))
             (not (facing ?h ?o)) (not (facing ?o ?h)))))
      (forall (?r - room) (when (in_room ?x ?r) (inside ?c ?r)))
      (forall (?o) (when (reaches ?c ?x ?o) (and (next_to ?c ?o) (next_to ?o ?c))))
      (forall (?h ?r) (when (and (holds ?c ?h) (carried_to ?c ?x ?r)) (inside ?h ?r)))))

  (:action run
    :parameters (?c - character ?x)
    :precondition (and (not (sitting ?c)) (not (lying ?c)) (placed ?c) (placed ?x))
    :effect (and
      (forall (?o) (and (not (inside ?c ?o)) (not (inside ?o ?c))
                        (not (next_to ?c ?o)) (not (next_to ?o ?c))
                        (not (facing ?c ?o)) (not (facing ?o ?c))))
      (forall (?h ?o) (when (holds ?c ?h)
        (and (not (inside ?h ?o)) (not (inside ?o ?h))
             (not (next_to ?h ?o)) (not (next_to ?o ?h))
             (not (facing ?h ?o)) (not (facing ?o ?h)))))
      (forall (?r - room) (when (in_room ?x ?r) (inside ?c ?r)))
      (forall (?o) (when (reaches ?c ?x ?o) (and (next_to ?c ?o) (next_to ?o ?c))))
      (forall (?h ?r) (when (and (holds ?c ?h) (carried_to ?c ?x ?r)) (inside ?h ?r)))))

  ; finding something at hand only turns the attention to it; anything else is walked to
  (:action find
    :parameters (?c - character ?x)
    :precondition (and
      (or (near ?c ?x) (and (not (ontop ?x ?c)) (not (body_part ?x))))
      (or (near ?c ?x) (not (sitting ?c)))
      (or (near ?c ?x) (not (lying ?c)))
      (or (near ?c ?x) (placed ?c))
      (or (near ?c ?x) (placed ?x)))
    :effect (and
      (when (near ?c ?x) (and (next_to ?c ?x) (next_to ?x ?c)))
      (forall (?o) (not (facing ?c ?o)))
      (forall (?o) (when (not (near ?c ?x))
        (and (not (inside ?c ?o)) (not (inside ?o ?c))
             (not (next_to ?c ?o)) (not (next_to ?o ?c))
             (not (facing ?o ?c)))))
      (forall (?h ?o) (when (and (holds ?c ?h) (not (near ?c ?x)))
        (and (not (inside ?h ?o)) (not (inside ?o ?h))
             (not (next_to ?h ?o)) (not (next_to ?o ?h))
             (not (facing ?h ?o)) (not (facing ?o ?h)))))
      (forall (?r - room) (when (and (in_room ?x ?r) (not (near ?c ?x))) (inside ?c ?r)))
      (forall (?o) (when (and (reaches ?c ?x ?o) (not (near ?c ?x)))
        (and (next_to ?c ?o) (next_to ?o ?c))))
      (forall (?h ?r) (when (and (holds ?c ?h) (carried_to ?c ?x ?r) (not (near ?c ?x)))
        (inside ?h ?r)))))

  (:action turnto
    :parameters (?c - character ?x)
    :effect (and (forall (?o) (not (facing ?c ?o))) (facing ?c ?x)))

  (:action sit
    :parameters (?c - character ?x)
    :precondition (and (near ?c ?x) (not (sitting ?c)) (sittable ?x) (not (seat_full ?x)))
    :effect (and (sitting ?c) (not (lying ?c)) (ontop ?c ?x)
                 (forall (?o) (when (facing ?x ?o) (facing ?c ?o)))))

  (:action lie
    :parameters (?c - character ?x)
    :precondition (and (near ?c ?x) (not (lying ?c)) (lieable ?x) (not (bed_full ?x)))
    :effect (and (lying ?c) (not (sitting ?c)) (ontop ?c ?x)))

  (:action standup
    :parameters (?c - character)
    :precondition (or (sitting ?c) (lying ?c))
    :effect (and (not (sitting ?c)) (not (lying ?c))
                 (forall (?s) (when (vacates ?c ?s) (not (ontop ?c ?s))))))

  (:action sleep
    :parameters (?c - character)
    :precondition (or (lying ?c) (sitting ?c)))

  (:action wakeup
    :parameters (?c - character)
    :precondition (or (lying ?c) (sitting ?c)))

  ; ------------------------------------------------------------------ taking and putting
  (:action grab
    :parameters (?c - character ?x)
    :precondition (and (or (grabbable ?x) (liftable ?x)) (not (grabbed ?c ?x)) (near ?c ?x)
                       (not (shut_in ?x)) (hand_free ?c))
    :effect (and
      (forall (?o) (and (not (ontop ?x ?o)) (not (ontop ?o ?x))
                        (not (inside ?x ?o)) (not (inside ?o ?x))
                        (not (next_to ?x ?o)) (not (next_to ?o ?x))
                        (not (holds_lh ?x ?o)) (not (holds_lh ?o ?x))
                        (not (holds_rh ?x ?o)) (not (holds_rh ?o ?x))
                        (not (from_on ?x ?o)) (not (from_inside ?x ?o))
                        (not (from_close ?x ?o)) (not (from_room ?x ?o))))
      (next_to ?c ?x)
      (next_to ?x ?c)
      (when (not (rh_full ?c)) (holds_rh ?c ?x))
      (when (rh_full ?c) (holds_lh ?c ?x))
      (forall (?r - room) (when (in_room ?c ?r) (inside ?x ?r)))
      (forall (?p) (when (place_on ?x ?p)
        (and (from_on ?x ?p) (next_to ?c ?p) (next_to ?p ?c))))
      (forall (?p) (when (place_inside ?x ?p)
        (and (from_inside ?x ?p) (next_to ?c ?p) (next_to ?p ?c))))
      (forall (?p) (when (place_close ?x ?p)
        (and (from_close ?x ?p) (next_to ?c ?p) (next_to ?p ?c))))
      (forall (?p) (when (place_room ?x ?p) (from_room ?x ?p)))))

  (:action putback
    :parameters (?c - character ?x ?y)
    :precondition (and (holds ?c ?x) (near ?c ?y))
    :effect (and (ontop ?x ?y) (next_to ?c ?y) (next_to ?y ?c) (next_to ?x ?y) (next_to ?y ?x)
                 (not (holds_rh ?c ?x)) (not (holds_lh ?c ?x))
                 (forall (?p) (and (not (from_on ?x ?p)) (not (from_inside ?x ?p))
                                   (not (from_close ?x ?p)) (not (from_room ?x ?p))))))

  (:action putin
    :parameters (?c - character ?x ?y)
    :precondition (and (holds ?c ?x) (near ?c ?y) (or (not (can_open ?y)) (open ?y)))
    :effect (and (inside ?x ?y) (next_to ?c ?y) (next_to ?y ?c) (next_to ?x ?y) (next_to ?y ?x)
                 (not (holds_rh ?c ?x)) (not (holds_lh ?c ?x))
                 (forall (?p) (and (not (from_on ?x ?p)) (not (from_inside ?x ?p))
                                   (not (from_close ?x ?p)) (not (from_room ?x ?p))))))

  ; back to where it was taken from
  (:action putobjback
    :parameters (?c - character ?x)
    :precondition (and (has_origin ?x) (returnable ?c ?x))
    :effect (and
      (forall (?p) (when (and (from_on ?x ?p) (return_open ?c ?x ?p))
        (and (ontop ?x ?p) (next_to ?c ?p) (next_to ?p ?c) (next_to ?x ?p) (next_to ?p ?x))))
      (forall (?p) (when (and (from_inside ?x ?p) (return_open ?c ?x ?p))
        (and (inside ?x ?p) (next_to ?c ?p) (next_to ?p ?c) (next_to ?x ?p) (next_to ?p ?x))))
      (forall (?p) (when (and (from_close ?x ?p) (return_open ?c ?x ?p))
        (and (next_to ?c ?p) (next_to ?p ?c) (next_to ?x ?p) (next_to ?p ?x))))
      (forall (?p) (when (and (from_room ?x ?p) (return_open ?c ?x ?p)) (inside ?x ?p)))
      (when (exists (?p) (and (from ?x ?p) (return_open ?c ?x ?p)))
        (and (not (holds_rh ?c ?x)) (not (holds_lh ?c ?x))))
      (forall (?p) (when (return_open ?c ?x ?p)
        (and (not (from_on ?x ?p)) (not (from_inside ?x ?p)) (not (from_close ?x ?p))
             (not (from_room ?x ?p)))))))

  (:action drop
    :parameters (?c - character ?x)
    :precondition (holds ?c ?x)
    :effect (and (not (holds_rh ?c ?x)) (not (holds_lh ?c ?x))
                 (forall (?r - room) (when (in_room ?c ?r) (inside ?x ?r)))
                 (forall (?p) (and (not (from_on ?x ?p)) (not (from_inside ?x ?p))
                                   (not (from_close ?x ?p)) (not (from_room ?x ?p))))))

  (:action release
    :parameters (?c - character ?x)
    :precondition (holds ?c ?x)
    :effect (and (not (holds_rh ?c ?x)) (not (holds_lh ?c ?x))
                 (forall (?r - room) (when (in_room ?c ?r) (inside ?x ?r)))
                 (forall (?p) (and (not (from_on ?x ?p)) (not (from_inside ?x ?p))
                                   (not (from_close ?x ?p)) (not (from_room ?x ?p))))))

  (:action pour
    :parameters (?c - character ?x ?y)
    :precondition (and (or (pourable ?x) (drinkable ?x)) (or (recipient ?y) (wettable ?y))
                       (holds ?c ?x) (near ?c ?y))
    :effect (and (inside ?x ?y)
                 (when (water ?x) (and (not (holds_rh ?c ?x)) (not (holds_lh ?c ?x))))))

  (:action puton
    :parameters (?c - character ?x)
    :precondition (and (holds ?c ?x) (clothes ?x))
    :effect (and (ontop ?x ?c) (not (holds_rh ?c ?x)) (not (holds_lh ?c ?x))))

  (:action putoff
    :parameters (?c - character ?x)
    :precondition (and (ontop ?x ?c) (clothes ?x))
    :effect (not (ontop ?x ?c)))

  ; ------------------------------------------------------------------ switches, plugs, doors
  (:action open
    :parameters (?c - character ?x)
    :precondition (and (or (can_open ?x) (openable ?x)) (near ?c ?x) (hand_free ?c)
                       (closed ?x) (not (on ?x)))
    :effect (and (open ?x) (not (closed ?x))))

  (:action close
    :parameters (?c - character ?x)
    :precondition (and (or (can_open ?x) (openable ?x)) (near ?c ?x) (open ?x))
    :effect (and (closed ?x) (not (open ?x))))

  (:action switchon
    :parameters (?c - character ?x)
    :precondition (and (has_switch ?x) (near ?c ?x) (off ?x) (not (plugged_out ?x)))
    :effect (and (on ?x) (not (off ?x))))

  (:action switchoff
    :parameters (?c - character ?x)
    :precondition (and (has_switch ?x) (near ?c ?x) (on ?x))
    :effect (and (off ?x) (not (on ?x))))

  (:action plugin
    :parameters (?c - character ?x)
    :precondition (and (has_plug ?x) (near ?c ?x) (hand_free ?c) (plugged_out ?x))
    :effect (and (plugged_in ?x) (not (plugged_out ?x))))

  (:action plugout
    :parameters (?c - character ?x)
    :precondition (and (has_plug ?x) (near ?c ?x) (hand_free ?c) (plugged_in ?x))
    :effect (and (plugged_out ?x) (not (plugged_in ?x))))

  ; ------------------------------------------------------------------ cleaning
  (:action wash
    :parameters (?c - character ?x)
    :precondition (near ?c ?x)
    :effect (and (clean ?x) (not (dirty ?x))))

  (:action rinse
    :parameters (?c - character ?x)
    :precondition (near ?c ?x)
    :effect (and (clean ?x) (not (dirty ?x))))

  (:action scrub
    :parameters (?c - character ?x)
    :precondition (near ?c ?x)
    :effect (and (clean ?x) (not (dirty ?x))))

  (:action wipe
    :parameters (?c - character ?x)
    :precondition (and (near ?c ?x) (exists (?o) (holds ?c ?o)))
    :effect (and (clean ?x) (not (dirty ?x))))

  ; ------------------------------------------------------------------ acts without effect
  (:action drink
    :parameters (?c - character ?x)
    :precondition (and (or (drinkable ?x) (recipient ?x)) (holds ?c ?x)))

  (:action eat
    :parameters (?c - character ?x)
    :precondition (and (near ?c ?x)
                       (or (eatable ?x) (exists (?o) (and (ontop ?o ?x) (eatable ?o))))))

  (:action cut
    :parameters (?c - character ?x)
    :precondition (and (hand_free ?c) (near ?c ?x) (eatable ?x) (cuttable ?x)
                       (exists (?k) (and (holds ?c ?k) (knife ?k)))))

  (:action read
    :parameters (?c - character ?x)
    :precondition (and (readable ?x) (holds ?c ?x)))

  (:action lookat
    :parameters (?c - character ?x)
    :precondition (toward ?c ?x))

  (:action pointat
    :parameters (?c - character ?x)
    :precondition (toward ?c ?x))

  (:action watch
    :parameters (?c - character ?x)
    :precondition (and (lookable ?x) (same_room ?c ?x) (toward ?c ?x)
                       (or (computer ?x) (facing ?c ?x)
                           (and (not (sitting ?c)) (not (lying ?c))))
                       (not (shut_in ?x))))

  (:action greet
    :parameters (?c - character ?x)
    :precondition (person ?x))

  (:action touch
    :parameters (?c - character ?x)
    :precondition (and (near ?c ?x) (not (shut_in ?x))))

  (:action type
    :parameters (?c - character ?x)
    :precondition (and (near ?c ?x) (or (typeable ?x) (has_switch ?x))))

  (:action push
    :parameters (?c - character ?x)
    :precondition (and (near ?c ?x) (not (shut_in ?x)) (hand_free ?c)))

  (:action pull
    :parameters (?c - character ?x)
    :precondition (and (or (movable ?x) (slidable ?x)) (near ?c ?x) (not (shut_in ?x))
                       (hand_free ?c)))

  (:action move
    :parameters (?c - character ?x)
    :precondition (and (or (movable ?x) (slidable ?x)) (near ?c ?x) (not (shut_in ?x))
                       (hand_free ?c)))

  (:action squeeze
    :parameters (?c - character ?x)
    :precondition (and (hand_free ?c) (near ?c ?x) (or (clothes ?x) (squeezable ?x))))
)
