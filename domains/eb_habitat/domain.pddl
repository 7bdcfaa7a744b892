; EB-Habitat: a robot carries objects between the surfaces of a home, one at a time.
;
; The action model of EmbodiedBench (arXiv 2502.09560, section 3): it goes to a receptacle, takes an
; object of a category, puts down what it holds, opens and closes the refrigerator and four
; cabinets. What the agent names is a category; which object is taken is the environment's choice.
;
; How near is near depends on geometry that is not here. The robot is at what it went to last.
; From some stops in the kitchen it reaches others too: (one_stop ?x ?y) says which, and that it
; does so is possible, not certain. Here it does; the variation `definite` says that it does not.

(define (domain eb_habitat)
  (:requirements :adl :derived-predicates)

  (:types
    robot location movable - object
    surface articulated - location
    cabinet fridge - articulated
    apple ball banana block book bowl box can clamp cleanser cup drill hammer knife lego
    lemon lid mug orange padlock peach pear plate plum rubriks_cube scissors screwdriver
    spatula sponge spoon strawberry toy_airplane wrench - movable
  )

  (:predicates
    (robot_at_closest ?l) (on_top ?o ?r) (in ?o ?c) (holding ?o)
    (opened_fridge ?f) (opened_cab ?c)
    (one_stop ?x ?y)  ; from ?x, ?y may be in reach: two places of one kitchen
    ; derived
    (not_holding) (closed_fridge ?f) (closed_cab ?c)
    (robot_at ?l) (robot_at_obj ?o) (hand_full) (accessible ?o)
  )

  (:derived (hand_full) (exists (?o - movable) (holding ?o)))
  (:derived (not_holding) (not (hand_full)))
  (:derived (closed_fridge ?f) (not (opened_fridge ?f)))
  (:derived (closed_cab ?c) (not (opened_cab ?c)))
  (:derived (robot_at ?l)
    (or (robot_at_closest ?l) (exists (?x - location) (and (robot_at_closest ?x) (one_stop ?x ?l)))))
  (:derived (robot_at_obj ?o)
    (or (exists (?r - surface) (and (on_top ?o ?r) (robot_at ?r)))
        (exists (?c - cabinet) (and (in ?o ?c) (robot_at ?c)))))
  (:derived (accessible ?o)
    (not (exists (?c - cabinet) (and (in ?o ?c) (closed_cab ?c)))))

  (:action nav
    :parameters (?a - robot ?l - location)
    :effect (and (forall (?x - location) (not (robot_at_closest ?x))) (robot_at_closest ?l)))

  (:action place
    :parameters (?a - robot ?r - surface)
    :precondition (and (hand_full) (robot_at ?r))
    :effect (forall (?o - movable) (when (holding ?o) (and (not (holding ?o)) (on_top ?o ?r)))))

  (:action open_fridge
    :parameters (?a - robot ?f - fridge)
    :precondition (and (robot_at ?f) (closed_fridge ?f))
    :effect (opened_fridge ?f))

  (:action close_fridge
    :parameters (?a - robot ?f - fridge)
    :precondition (and (robot_at ?f) (opened_fridge ?f))
    :effect (not (opened_fridge ?f)))

  (:action open_cab
    :parameters (?a - robot ?c - cabinet)
    :precondition (and (robot_at ?c) (closed_cab ?c))
    :effect (opened_cab ?c))

  (:action close_cab
    :parameters (?a - robot ?c - cabinet)
    :precondition (and (robot_at ?c) (opened_cab ?c))
    :effect (not (opened_cab ?c)))

  ; ------------------------------------------------------------------ one pick for each category

  (:action pick_apple
    :parameters (?a - robot ?o - apple)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_ball
    :parameters (?a - robot ?o - ball)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_banana
    :parameters (?a - robot ?o - banana)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_block
    :parameters (?a - robot ?o - block)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_book
    :parameters (?a - robot ?o - book)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_bowl
    :parameters (?a - robot ?o - bowl)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_box
    :parameters (?a - robot ?o - box)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_can
    :parameters (?a - robot ?o - can)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_clamp
    :parameters (?a - robot ?o - clamp)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_cleanser
    :parameters (?a - robot ?o - cleanser)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_cup
    :parameters (?a - robot ?o - cup)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_drill
    :parameters (?a - robot ?o - drill)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_hammer
    :parameters (?a - robot ?o - hammer)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_knife
    :parameters (?a - robot ?o - knife)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_lego
    :parameters (?a - robot ?o - lego)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_lemon
    :parameters (?a - robot ?o - lemon)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_lid
    :parameters (?a - robot ?o - lid)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_mug
    :parameters (?a - robot ?o - mug)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_orange
    :parameters (?a - robot ?o - orange)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_padlock
    :parameters (?a - robot ?o - padlock)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_peach
    :parameters (?a - robot ?o - peach)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_pear
    :parameters (?a - robot ?o - pear)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_plate
    :parameters (?a - robot ?o - plate)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_plum
    :parameters (?a - robot ?o - plum)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_rubriks_cube
    :parameters (?a - robot ?o - rubriks_cube)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_scissors
    :parameters (?a - robot ?o - scissors)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_screwdriver
    :parameters (?a - robot ?o - screwdriver)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_spatula
    :parameters (?a - robot ?o - spatula)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_sponge
    :parameters (?a - robot ?o - sponge)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_spoon
    :parameters (?a - robot ?o - spoon)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_strawberry
    :parameters (?a - robot ?o - strawberry)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_toy_airplane
    :parameters (?a - robot ?o - toy_airplane)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))

  (:action pick_wrench
    :parameters (?a - robot ?o - wrench)
    :precondition (and (not_holding) (robot_at_obj ?o) (accessible ?o))
    :effect (and (holding ?o) (forall (?r - surface) (not (on_top ?o ?r)))
                 (forall (?c - cabinet) (not (in ?o ?c)))))
)
