type Copy = (of: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** 16 places: equal functions, but V8 remembers for each what it copied. */
const places: readonly Copy[] = [
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
  (of) => ({ ...of }),
];

let given = 0;

/**
 * A place in the code that copies objects of one kind. V8 copies one of 50 fields in 40 ns where it has seen at most
 * four kinds of objects, and in 600 to 800 at any other place: as many as the records, lines and notes of one batch of
 * the event queue have. The places are given out in turn, so that 64 kinds are copied fast.
 */
export function nextCopy(): Copy {
  const copy = places[given % places.length] as Copy;
  given++;
  return copy;
}
