"""Reads cases of rules by days of the week, and answers the visits that dateutil has for each, one line a case."""

import json
import sys
from datetime import datetime, timedelta

from dateutil import rrule, tz
from dateutil.zoneinfo import get_zonefile_instance

DAYS = (rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA, rrule.SU)
ZONES = get_zonefile_instance()
MINUTE = timedelta(minutes=1)


def ruled(case, **rule):
    """The first dates of a rule, at most as many as the case counts and none after its last day."""
    until = datetime.fromisoformat(case["through"])
    days = rrule.rrule(dtstart=datetime.fromisoformat(case["first"]), interval=case["every"], until=until, **rule)
    return [day for _, day in zip(range(case["count"]), days)]


def dates(case):
    if case["ordinal"] is None:
        return ruled(case, freq=rrule.WEEKLY, byweekday=[DAYS[day] for day in case["weekdays"]])
    day = DAYS[case["weekdays"][0]]
    of_order = ruled(case, freq=rrule.MONTHLY, byweekday=day(case["ordinal"]))
    if not (case["ordinal"] == 5 and case["ifMissing"] == "last"):
        return of_order
    # The fifth where a month has one, and else the last: month by month.
    months = {(each.year, each.month): each for each in ruled(case, freq=rrule.MONTHLY, byweekday=day(-1))}
    months.update({(each.year, each.month): each for each in of_order})
    return sorted(months.values())[: case["count"]]


def moment(date, case):
    """The time of day in the zone: the end of the jump where clocks skip it, the first where they show it twice."""
    zone = ZONES.get(case["zone"])
    wall = date + timedelta(minutes=case["minute"])
    while not tz.datetime_exists(wall, zone):
        wall += MINUTE
    return int(tz.enfold(wall.replace(tzinfo=zone), 0).astimezone(tz.UTC).timestamp())


def by_text(text, first, count):
    """The first dates of an RRULE as callers see it."""
    days = rrule.rrulestr(text, dtstart=datetime.fromisoformat(first))
    return [day.date().isoformat() for _, day in zip(range(count), days)]


for line in sys.stdin:
    case = json.loads(line)
    days = dates(case)
    moved = case["moved"]
    print(
        json.dumps(
            {
                "visits": [moment(day, case) for day in days],
                "text": by_text(case["text"], case["first"], len(days)),
                "moved": by_text(moved["text"], moved["first"], len(days)),
            },
            separators=(",", ":"),
        )
    )
