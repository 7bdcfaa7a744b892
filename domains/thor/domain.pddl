; The symbolic AI2-THOR 5.0.0: the engine's actions on the objects of one room.
;
; Preconditions are written in the order in which the engine tests them; each test is one atom, by
; which a failure is known (eai.simulators.thor.failures). A forced action passes over the tests
; that are redefined for it: in_reach, put_in_reach and welcome (eai.simulators.thor.world).
; What the surroundings do to objects (heat, cold, water) is the effect of the action settle,
; which has to be taken after every other action until it changes nothing.
;
; Predicates of a state:
;   place      (in ?x ?y)        the one thing that ?x is in or on
;              (also_in ?x ?y)   other receptacles in whose volume ?x is, true or not
;              (holds ?a ?x)     what the agent holds; its contents stay in it and travel along
;   state      (open ?x) (on ?x) (dirty ?x) (filled ?x) (contains ?x ?l) (sliced ?x) (cooked ?x)
;              (broken ?x) (used_up ?x) (hot ?x) (cold ?x)
;   being      (dormant ?x)      a slice that is not there yet
;              derived: (present ?x) there and whole enough to be acted on
;   nature     (pickupable ?x) (moveable ?x) (receptacle ?x) (openable ?x) (toggleable ?x)
;              (breakable ?x) (fillable ?x) (dirtyable ?x) (cookable ?x) (sliceable ?x)
;              (can_be_used_up ?x) (heat_source ?x) (cold_source ?x)
;   of pairs   (controls ?k ?b)  turning ?k on turns ?b on: a knob and its burner
;              (waters ?f ?b)    water from ?f runs into ?b
;              (slice_of ?p ?x)  ?p comes to be when ?x is sliced
;              (accepted ?x ?y)  objects such as ?x may be placed in such as ?y
;              (misfit ?x ?y)    ?x has no place in ?y, because of their shapes
;              (spans ?z ?y)    what is put in ?y is also in the volume of ?z

(define (domain thor)
  (:requirements :adl :derived-predicates)

  ; an enclosure takes things only while it is open; a holder takes one thing, and only what suits;
  ; water runs into basins
  (:types
    agent thing liquid - object
    enclosure holder basin - thing
    Box Cabinet Drawer Fridge LaundryHamper Microwave - enclosure
    CoffeeMachine HandTowelHolder StoveBurner Toaster ToiletPaperHanger TowelHolder - holder
    BathtubBasin SinkBasin - basin
    AlarmClock AluminumFoil Apple AppleSliced ArmChair BaseballBat BasketBall Bathtub Bed
    Blinds Book Boots Bottle Bowl Bread BreadSliced ButterKnife CD Candle CellPhone Chair
    Cloth CoffeeTable CounterTop CreditCard Cup Curtains Desk DeskLamp Desktop DiningTable
    DishSponge DogBed Dresser Dumbbell Egg EggCracked Faucet Floor FloorLamp Footstool Fork
    GarbageBag GarbageCan HandTowel HousePlant Kettle KeyChain Knife Ladle Laptop Lettuce
    LettuceSliced LightSwitch Mirror Mug Newspaper Ottoman Painting Pan PaperTowelRoll Pen
    Pencil PepperShaker Pillow Plate Plunger Poster Pot Potato PotatoSliced RemoteControl
    RoomDecor Safe SaltShaker ScrubBrush Shelf ShelvingUnit ShowerCurtain ShowerDoor
    ShowerGlass ShowerHead SideTable Sink SoapBar SoapBottle Sofa Spatula Spoon SprayBottle
    Statue Stool StoveKnob TVStand TableTopDecor TargetCircle TeddyBear Television
    TennisRacket TissueBox Toilet ToiletPaper Tomato TomatoSliced Towel VacuumCleaner Vase
    Watch WateringCan Window WineBottle - thing
  )

  (:constants agent - agent water coffee wine - liquid)

  (:predicates
    (in ?x ?y) (also_in ?x ?y) (holds ?a ?x)
    (open ?x) (on ?x) (dirty ?x) (filled ?x) (contains ?x ?l) (sliced ?x) (cooked ?x)
    (broken ?x) (used_up ?x) (hot ?x) (cold ?x) (dormant ?x)
    (pickupable ?x) (moveable ?x) (receptacle ?x) (openable ?x) (toggleable ?x) (breakable ?x)
    (fillable ?x) (dirtyable ?x) (cookable ?x) (sliceable ?x) (can_be_used_up ?x)
    (heat_source ?x) (cold_source ?x)
    (controls ?k ?b) (waters ?f ?b) (slice_of ?p ?x) (accepted ?x ?y) (misfit ?x ?y)
    (spans ?z ?y)
    ; derived: being and place
    (present ?x) (inside ?x ?y) (borne ?a ?x) (shut_in ?x) (joins ?x ?y ?z)
    ; derived: the tests of actions
    (in_reach ?a ?x) (put_in_reach ?a ?x) (hand_free ?a) (hand_full ?a)
    (ready_to_take ?x) (suited ?a ?y) (vacant ?y) (welcome ?a ?y) (fitting ?a ?y)
    (switched_off_to_open ?x) (has_switch ?x) (self_controlled ?x) (off ?x) (shut_to_run ?x)
    (whole ?x) (not_in_hand ?a ?x) (clean ?x) (empty ?x) (raw ?x) (unused ?x)
    ; derived: kinds
    (is_enclosure ?x) (is_holder ?x) (is_microwave ?x) (is_bread_slice ?x) (is_cookware ?x)
    (is_egg ?x) (suits ?x ?y)
    ; derived: what the surroundings do
    (chilled ?x) (microwaved ?x) (over_fire ?x) (toasted ?x) (brewed_into ?x) (rinsed ?x)
    (heated ?x) (done ?x) (lies_on ?x ?b)
  )

  ; ------------------------------------------------------------------ kinds
  (:derived (is_enclosure ?x) (exists (?e - enclosure) (= ?e ?x)))
  (:derived (is_holder ?x) (exists (?h - holder) (= ?h ?x)))
  (:derived (is_microwave ?x) (exists (?m - Microwave) (= ?m ?x)))
  (:derived (is_bread_slice ?x) (exists (?b - BreadSliced) (= ?b ?x)))
  (:derived (is_cookware ?x) (or (exists (?p - Pan) (= ?p ?x)) (exists (?p - Pot) (= ?p ?x))))
  (:derived (is_egg ?x) (exists (?e - Egg) (= ?e ?x)))
  ; what a holder is made for; it takes nothing else
  (:derived (suits ?x ?y)
    (or (and (exists (?m - Mug) (= ?m ?x)) (exists (?c - CoffeeMachine) (= ?c ?y)))
        (and (exists (?b - BreadSliced) (= ?b ?x)) (exists (?t - Toaster) (= ?t ?y)))
        (and (or (is_cookware ?x) (exists (?k - Kettle) (= ?k ?x)))
             (exists (?s - StoveBurner) (= ?s ?y)))
        (and (exists (?p - ToiletPaper) (= ?p ?x)) (exists (?h - ToiletPaperHanger) (= ?h ?y)))
        (and (exists (?t - HandTowel) (= ?t ?x)) (exists (?h - HandTowelHolder) (= ?h ?y)))
        (and (exists (?t - Towel) (= ?t ?x)) (exists (?h - TowelHolder) (= ?h ?y)))))

  ; ------------------------------------------------------------------ being and place
  ; of what was sliced only the slices are left, though it stays in the list of objects
  (:derived (present ?x)
    (and (not (dormant ?x)) (not (sliced ?x)) (not (and (is_egg ?x) (broken ?x)))))
  (:derived (inside ?x ?y) (or (in ?x ?y) (exists (?z) (and (in ?x ?z) (inside ?z ?y)))))
  (:derived (borne ?a ?x) (or (holds ?a ?x) (exists (?y) (and (holds ?a ?y) (inside ?x ?y)))))
  (:derived (shut_in ?x)
    (exists (?y) (and (inside ?x ?y) (is_enclosure ?y) (openable ?y) (not (open ?y)))))
  ; put in ?y, ?x is in the volume of ?z too
  (:derived (joins ?x ?y ?z)
    (or (spans ?z ?y) (and (pickupable ?y) (or (in ?y ?z) (also_in ?y ?z)))))

  ; ------------------------------------------------------------------ tests
  (:derived (in_reach ?a ?x) (and (present ?x) (not (shut_in ?x))))
  (:derived (put_in_reach ?a ?x) (and (present ?x) (not (shut_in ?x)) (not (borne ?a ?x))))
  (:derived (hand_full ?a) (exists (?x) (holds ?a ?x)))
  (:derived (hand_free ?a) (not (hand_full ?a)))
  (:derived (ready_to_take ?x) (or (not (is_enclosure ?x)) (not (openable ?x)) (open ?x)))
  (:derived (suited ?a ?y)
    (or (not (is_holder ?y)) (exists (?x) (and (holds ?a ?x) (suits ?x ?y)))))
  (:derived (vacant ?y)
    (or (not (is_holder ?y)) (not (exists (?x) (and (in ?x ?y) (present ?x))))))
  (:derived (welcome ?a ?y) (exists (?x) (and (holds ?a ?x) (accepted ?x ?y))))
  (:derived (fitting ?a ?y) (exists (?x) (and (holds ?a ?x) (not (misfit ?x ?y)))))
  (:derived (switched_off_to_open ?x) (not (and (is_microwave ?x) (on ?x))))
  (:derived (has_switch ?x) (or (toggleable ?x) (exists (?k) (controls ?k ?x))))
  (:derived (self_controlled ?x) (not (exists (?k) (controls ?k ?x))))
  (:derived (off ?x) (not (on ?x)))
  (:derived (shut_to_run ?x) (not (and (is_microwave ?x) (open ?x))))
  (:derived (whole ?x) (not (broken ?x)))
  (:derived (not_in_hand ?a ?x) (not (holds ?a ?x)))
  (:derived (clean ?x) (not (dirty ?x)))
  (:derived (empty ?x) (not (filled ?x)))
  (:derived (raw ?x) (not (cooked ?x)))
  (:derived (unused ?x) (not (used_up ?x)))

  ; ------------------------------------------------------------------ surroundings
  (:derived (chilled ?x) (exists (?f - Fridge) (and (inside ?x ?f) (cold_source ?f))))
  (:derived (microwaved ?x) (exists (?m - Microwave) (and (inside ?x ?m) (on ?m))))
  (:derived (over_fire ?x)
    (exists (?b - StoveBurner)
      (and (on ?b)
           (or (lies_on ?x ?b)
               (exists (?p) (and (in ?x ?p) (is_cookware ?p) (lies_on ?p ?b)))))))
  ; a pan may lie on two burners
  (:derived (lies_on ?x ?b) (or (in ?x ?b) (also_in ?x ?b)))
  (:derived (toasted ?x)
    (and (is_bread_slice ?x) (exists (?t - Toaster) (and (in ?x ?t) (on ?t)))))
  (:derived (brewed_into ?x)
    (and (exists (?m - Mug) (= ?m ?x)) (empty ?x)
         (exists (?c - CoffeeMachine) (and (in ?x ?c) (on ?c)))))
  (:derived (rinsed ?x)
    (exists (?f ?b) (and (waters ?f ?b) (on ?f) (inside ?x ?b))))
  (:derived (heated ?x)
    (and (or (microwaved ?x) (over_fire ?x) (toasted ?x) (brewed_into ?x)) (not (chilled ?x))))
  (:derived (done ?x)
    (and (cookable ?x)
         (or (toasted ?x) (over_fire ?x) (and (microwaved ?x) (not (is_bread_slice ?x))))))

  ; what happens by itself; a mug under the coffee machine is filled, dirty or not
  (:action settle
    :parameters ()
    :effect (forall (?x) (and
      (when (and (present ?x) (chilled ?x)) (and (cold ?x) (not (hot ?x))))
      (when (and (present ?x) (heated ?x)) (and (hot ?x) (not (cold ?x))))
      (when (and (present ?x) (done ?x)) (cooked ?x))
      (when (brewed_into ?x) (and (filled ?x) (contains ?x coffee)))
      (when (and (rinsed ?x) (dirtyable ?x)) (not (dirty ?x)))
      (when (and (rinsed ?x) (fillable ?x) (empty ?x)) (and (filled ?x) (contains ?x water)))
      (when (exists (?c - Candle) (and (= ?c ?x) (rinsed ?x))) (not (on ?x))))))

  ; ------------------------------------------------------------------ the hand
  (:action pickup_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (pickupable ?x) (hand_free ?a))
    :effect (and
      (holds ?a ?x)
      (forall (?y) (and (not (in ?x ?y)) (not (also_in ?x ?y))))
      ; what is in it comes along, and is no longer where that was
      (forall (?c ?z) (when (and (inside ?c ?x) (not (= ?z ?x)) (not (inside ?z ?x)))
        (not (also_in ?c ?z))))
      (forall (?c) (when (not (inside ?c ?x)) (not (also_in ?c ?x))))
      (forall (?c ?z) (when (and (in ?c ?z) (not (present ?c)) (or (= ?z ?x) (inside ?z ?x)))
        (not (in ?c ?z))))))

  (:action put_object
    :parameters (?a - agent ?y)
    :precondition (and (hand_full ?a) (put_in_reach ?a ?y) (receptacle ?y) (ready_to_take ?y)
                       (suited ?a ?y) (vacant ?y) (welcome ?a ?y) (fitting ?a ?y))
    :effect (forall (?x) (when (holds ?a ?x) (and
      (not (holds ?a ?x))
      (in ?x ?y)
      (forall (?z) (when (joins ?x ?y ?z) (also_in ?x ?z)))
      (forall (?c) (when (inside ?c ?x) (and
        (also_in ?c ?y)
        (forall (?z) (when (joins ?x ?y ?z) (also_in ?c ?z))))))))))

  (:action drop_hand_object
    :parameters (?a - agent)
    :precondition (hand_full ?a)
    :effect (forall (?x) (when (holds ?a ?x) (and
      (not (holds ?a ?x))
      (forall (?f - Floor) (in ?x ?f))))))

  ; what is thrown hits something: it breaks if it can
  (:action throw_object
    :parameters (?a - agent)
    :precondition (hand_full ?a)
    :effect (forall (?x) (when (holds ?a ?x) (and
      (not (holds ?a ?x))
      (forall (?f - Floor) (in ?x ?f))
      (when (breakable ?x) (and (broken ?x) (not (on ?x))))
      (forall (?c - object ?f - Floor) (when (and (breakable ?x) (in ?c ?x))
        (and (not (in ?c ?x)) (in ?c ?f))))
      (forall (?p - object ?f - Floor) (when (and (is_egg ?x) (slice_of ?p ?x))
        (and (not (dormant ?p)) (in ?p ?f))))))))

  ; ------------------------------------------------------------------ doors and switches
  (:action open_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (openable ?x) (switched_off_to_open ?x))
    :effect (open ?x))

  (:action close_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (openable ?x) (switched_off_to_open ?x))
    :effect (not (open ?x)))

  (:action toggle_object_on
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (has_switch ?x) (self_controlled ?x) (off ?x)
                       (shut_to_run ?x) (whole ?x))
    :effect (and (on ?x) (forall (?b) (when (controls ?x ?b) (on ?b)))))

  (:action toggle_object_off
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (has_switch ?x) (self_controlled ?x) (on ?x))
    :effect (and (not (on ?x)) (forall (?b) (when (controls ?x ?b) (not (on ?b))))))

  ; ------------------------------------------------------------------ slicing and breaking
  (:action slice_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (not_in_hand ?a ?x) (sliceable ?x))
    :effect (when (present ?x) (and
      (sliced ?x)
      (forall (?p) (when (slice_of ?p ?x) (and
        (not (dormant ?p))
        (when (cooked ?x) (cooked ?p))
        (forall (?y) (and (when (in ?x ?y) (in ?p ?y))
                          (when (also_in ?x ?y) (also_in ?p ?y))))))))))

  ; what was in it, and what was in the hand, falls
  (:action break_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (breakable ?x))
    :effect (and
      (broken ?x)
      (not (on ?x))
      (when (holds ?a ?x) (and (not (holds ?a ?x)) (forall (?f - Floor) (in ?x ?f))))
      (forall (?c) (when (in ?c ?x) (and
        (not (in ?c ?x))
        (forall (?y) (when (in ?x ?y) (and (in ?c ?y) (not (also_in ?c ?y)))))
        (forall (?f - Floor) (when (holds ?a ?x) (in ?c ?f))))))
      (forall (?p) (when (and (is_egg ?x) (slice_of ?p ?x) (dormant ?p)) (and
        (not (dormant ?p))
        (forall (?y) (when (in ?x ?y) (in ?p ?y)))
        (forall (?f - Floor) (when (holds ?a ?x) (in ?p ?f))))))))

  ; ------------------------------------------------------------------ states set directly
  (:action dirty_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (dirtyable ?x) (clean ?x))
    :effect (dirty ?x))

  (:action clean_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (dirtyable ?x) (dirty ?x))
    :effect (not (dirty ?x)))

  (:action fill_object_with_liquid
    :parameters (?a - agent ?x - object ?l - liquid)
    :precondition (and (in_reach ?a ?x) (fillable ?x) (empty ?x))
    :effect (and (filled ?x) (contains ?x ?l)
                 (when (= ?l coffee) (and (hot ?x) (not (cold ?x))))))

  (:action empty_liquid_from_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (fillable ?x) (filled ?x))
    :effect (and (not (filled ?x)) (forall (?l - liquid) (not (contains ?x ?l)))))

  (:action cook_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (cookable ?x) (raw ?x))
    :effect (cooked ?x))

  (:action use_up_object
    :parameters (?a - agent ?x)
    :precondition (and (in_reach ?a ?x) (can_be_used_up ?x) (unused ?x))
    :effect (used_up ?x))
)
