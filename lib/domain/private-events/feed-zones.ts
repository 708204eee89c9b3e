import ICAL from 'ical.js';
import { isZone, offsetAt, resolveWallTime } from '../../shared/time/time.ts';

/** The instant of a reading of a clock (see lib/shared/time/time.ts). */
export type ToInstant = (wall: number) => number;

/**
 * A reading in a zone. One that occurs twice is the first; one that clocks skip is read with the offset before the gap
 * (RFC 5545, 3.3.5): 2:30 on 2026-03-08 in New York is 3:30 EDT.
 */
const instantIn =
  (zone: string): ToInstant =>
  (wall) => {
    const resolved = resolveWallTime(wall, zone);
    return resolved.exists ? resolved.at : wall - offsetAt(resolved.resumes - 1, zone);
  };

const UTC: ToInstant = (wall) => wall;

/** A reading as the file's own definition of a zone has it. */
const instantByFile = (zone: ICAL.Timezone): ToInstant => {
  return (wall) => {
    const date = new Date(wall);
    const time = new ICAL.Time(
      {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
        second: date.getUTCSeconds(),
        isDate: false,
      },
      zone,
    );
    return time.toUnixTime() * 1000;
  };
};

/**
 * How a file's times become instants, by their TZID: an IANA zone, also behind a prefix such as
 * `/freeassociation.sourceforge.net/Europe/Berlin`; else the file's own VTIMEZONE, which Outlook writes for its names;
 * else, and without a TZID, the organization's zone.
 */
export function feedZones(file: ICAL.Component, zone: string): (tzid: string) => ToInstant {
  const known = new Map<string, ToInstant>([
    ['', instantIn(zone)],
    ['UTC', UTC],
  ]);
  const read = (tzid: string): ToInstant => {
    const [, name = tzid] = /^\/.*?\/((?:[A-Z][\w+-]*\/){1,2}[\w+-]+)$/.exec(tzid) ?? [];
    if (isZone(name)) return instantIn(name);
    const component = file.getAllSubcomponents('vtimezone').find((each) => each.getFirstPropertyValue('tzid') === tzid);
    return component ? instantByFile(new ICAL.Timezone({ component, tzid })) : instantIn(zone);
  };
  return (tzid) => {
    const found = known.get(tzid) ?? read(tzid);
    known.set(tzid, found);
    return found;
  };
}
