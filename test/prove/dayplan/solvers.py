"""Solves instances, one JSON line each, by PyVRP and by VROOM, with so many seconds of processor time, and prints the
routes of both, one line each. Fewer vehicles come first by a fixed cost of a vehicle. Both compute in whole numbers:
ways are rounded up to thousandths, so their routes are permitted in double precision too."""

import json
import math
import sys
import time
from datetime import timedelta

import numpy as np
import vroom
from pyvrp import Client, Depot, Location, ProblemData, VehicleType, solve

SCALE = 1000
VEHICLES = 25
SECONDS = float(sys.argv[1])


def scaled_ways(customers):
    ways = [[math.ceil(SCALE * math.hypot(x - u, y - v)) for u, v, *_ in customers] for x, y, *_ in customers]
    return np.array(ways)


def by_pyvrp(case):
    _, _, _, opens, closes = case["customers"][0]
    ways = scaled_ways(case["customers"])
    data = ProblemData(
        locations=[Location(x, y) for x, y, *_ in case["customers"]],
        depots=[Depot(0, tw_early=SCALE * opens, tw_late=SCALE * closes)],
        clients=[
            Client(
                index,
                delivery=[demand],
                service_duration=SCALE * case["service"],
                tw_early=SCALE * opens,
                tw_late=SCALE * closes,
            )
            for index, (_, _, demand, opens, closes) in enumerate(case["customers"])
            if index
        ],
        vehicle_types=[VehicleType(VEHICLES, [case["capacity"]], fixed_cost=10_000 * SCALE)],
        distance_matrices=[ways],
        duration_matrices=[ways],
    )
    begun = time.process_time()
    best = solve(data, lambda _: time.process_time() - begun > SECONDS, seed=1, display=False).best
    return [list_of(route) for route in best.routes()] if best.is_feasible() else []


def list_of(route):
    """Customers from 1; a route lists its clients from 0, between its visits to the depot."""
    return [activity.idx + 1 for activity in route if activity.is_client()]


def by_vroom(case):
    problem = vroom.Input()
    problem.set_durations_matrix("car", scaled_ways(case["customers"]).astype(np.uint32))
    _, _, _, opens, closes = case["customers"][0]
    for vehicle in range(VEHICLES):
        problem.add_vehicle(
            vroom.Vehicle(
                vehicle,
                start=0,
                end=0,
                capacity=[case["capacity"]],
                time_window=vroom.TimeWindow(SCALE * opens, SCALE * closes),
                costs=vroom.VehicleCosts(fixed=1_000 * SCALE),
            )
        )
    for index, (_, _, demand, opens, closes) in enumerate(case["customers"]):
        if index:
            window = vroom.TimeWindow(SCALE * opens, SCALE * closes)
            service = SCALE * case["service"]
            amount = vroom.Amount([demand])
            problem.add_job(
                vroom.Job(index, location=index, default_service=service, delivery=amount, time_windows=[window])
            )
    solution = problem.solve(exploration_level=5, nb_threads=1, timeout=timedelta(seconds=SECONDS))
    jobs = solution.routes[solution.routes["type"] == "job"]
    return [[int(job) for job in route] for _, route in jobs.groupby("vehicle_id")["id"]]


def timed(solver, case):
    begun = time.process_time()
    routes = solver(case)
    return {"routes": routes, "seconds": time.process_time() - begun}


for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps({"PyVRP": timed(by_pyvrp, case), "VROOM": timed(by_vroom, case)}), flush=True)
