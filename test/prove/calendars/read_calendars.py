"""Prints the events of the calendars of a folder as a line of JSON for each file, as icalendar reads them."""

import json
import sys
from datetime import timezone
from pathlib import Path

from icalendar import Calendar


def moment(event, name):
    value = event[name].dt
    if value.tzinfo is None:
        raise ValueError(f"{name} of {event['UID']} has no zone")
    return round(value.astimezone(timezone.utc).timestamp() * 1000)


def text(event, name):
    return str(event.get(name, ""))


for file in sorted(Path(sys.argv[1]).glob("*.ics")):
    calendar = Calendar.from_ical(file.read_bytes())
    events = [
        {
            "uid": text(event, "UID"),
            "start": moment(event, "DTSTART"),
            "end": moment(event, "DTEND"),
            "sequence": text(event, "SEQUENCE"),
            "status": text(event, "STATUS"),
            "transparency": text(event, "TRANSP"),
            "summary": text(event, "SUMMARY"),
            "description": text(event, "DESCRIPTION"),
            "location": text(event, "LOCATION"),
        }
        for event in calendar.walk("VEVENT")
    ]
    problems = [f"{name}: {message}" for part in calendar.walk() for name, message in part.errors]
    print(json.dumps({"file": file.name, "problems": problems, "events": events}))
