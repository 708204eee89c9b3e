import fc from 'fast-check';

/**
 * Random persons, how people write them, and an oracle of words. It shares no code with what erases them: what a text
 * must lose is known because it was put there.
 */
export interface SomePerson {
  readonly fields: {
    readonly Name: string;
    readonly Email: string;
    readonly Phone: string;
    readonly Address1: string;
    readonly Address2: string;
  };
  /** E.164 of the phone. */
  readonly phoneKey: string;
  /** What means this person wherever it stands. */
  readonly certain: readonly string[];
  /** What means the person in texts of its own records only. */
  readonly only: readonly string[];
  /** Its folded words, which texts of its own records must not have. */
  readonly words: ReadonlySet<string>;
}

const UNDECOMPOSED: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', Ł: 'L', Ø: 'O' };

const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łøßŁØ]/g, (letter) => UNDECOMPOSED[letter] ?? letter);

/** Lower case, no accents; apostrophes join, everything else separates. */
export const foldedWords = (text: string): string[] =>
  withoutAccents(text)
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const given = ['Maria', 'José', 'Łukasz', 'Zoë', 'An', 'Win', 'Li', 'Anna-Lena', 'Jean-Luc', 'Øyvind', 'Siobhán', 'Al'];
const family = [
  'Kowalczyk',
  'Ng',
  'Dow',
  'May',
  'O’Brien',
  "D'Angelo",
  'Müller-Lüdenscheidt',
  'García',
  'Nguyễn',
  'Weiß',
  'Łopatka',
];
const particles = ['', '', '', 'van', 'de la', 'von', 'van der'];
const middles = ['', '', '', 'J.', 'K', 'Ewa', 'Thi'];

const casings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text.toUpperCase(),
  withoutAccents,
];
const MAX_SHORT = 4;

const someName = fc
  .record({
    given: fc.constantFrom(...given),
    middle: fc.constantFrom(...middles),
    particle: fc.constantFrom(...particles),
    family: fc.constantFrom(...family),
    casing: fc.constantFrom(...casings),
    isLower: fc.boolean(),
  })
  .map((some) => {
    const join = (...parts: string[]) => parts.filter(Boolean).join(' ');
    const last = join(some.particle, some.family);
    const stored = join(some.given, some.middle, last);
    const forms = [
      stored,
      join(some.given, last),
      join(some.given, some.family),
      `${last}, ${some.given}`,
      join(`${last},`, some.given, some.middle),
      join(`${some.family},`, some.given),
      join(some.given, 'R.', last),
      `${some.given} ${some.family}’s`,
    ];
    // In lower case short names are words of everyday language: "win", "may".
    const isDistinct = [some.given, some.family].some((name) =>
      foldedWords(name).some((word) => word.length > MAX_SHORT),
    );
    const casing = some.isLower && isDistinct ? (text: string) => text.toLowerCase() : some.casing;
    const alone = [some.given, some.family, ...(some.middle.length > 2 ? [some.middle] : [])];
    return {
      stored,
      certain: forms.map(casing),
      only: alone.flatMap((name) => [some.casing(name), some.casing(name).toLowerCase()]),
      words: foldedWords(join(some.given, some.middle, last)).filter((word) => word.length > 1),
      first: some.given,
      last: some.family,
    };
  });

const suffixes = [
  ['Lane', 'Ln'],
  ['Street', 'St.'],
  ['Avenue', 'Ave'],
  ['Road', 'Rd'],
] as const;
const directions = [
  ['', ''],
  ['', ''],
  ['North', 'N'],
  ['West', 'W.'],
] as const;
const units = ['', '', 'Apt 4B', '#12', 'Unit 3', 'Suite 210'];

const someAddress = fc
  .record({
    number: fc.integer({ min: 31, max: 9_999 }),
    direction: fc.constantFrom(...directions),
    street: fc.constantFrom('Blueberry', 'Old Mill', 'Øst', 'Elm', 'Martin Luther King', '5th', 'Ash'),
    suffix: fc.constantFrom(...suffixes),
    unit: fc.constantFrom(...units),
    unitPlace: fc.constantFrom('Address2', 'behind', 'before'),
    isShort: fc.boolean(),
    casing: fc.constantFrom(...casings, (text: string) => text.toLowerCase()),
  })
  .map(({ number, direction, street, suffix, unit, unitPlace, isShort, casing }) => {
    const line = (short: boolean) =>
      [number, direction[short ? 1 : 0], street, suffix[short ? 1 : 0]].filter(Boolean).join(' ');
    const stored = line(isShort);
    const isOwnLine = unitPlace === 'Address2' || !unit;
    const placed = unitPlace === 'before' ? `${unit}, ${stored}` : `${stored}, ${unit}`;
    const forms = [line(true), line(false), ...(unit ? [`${line(true)} ${unit}`, `${line(false)}, ${unit}`] : [])];
    return {
      Address1: isOwnLine ? stored : placed,
      Address2: isOwnLine ? unit : '',
      certain: forms.map(casing),
      only: [street, street.toUpperCase()],
      words: foldedWords(street),
    };
  });

interface Numbering {
  readonly code: string;
  /** How the groups are written, the first ones as they are stored. */
  readonly forms: readonly ((a: string, b: string, c: string) => string)[];
  readonly only: readonly ((a: string, b: string, c: string) => string)[];
}

const northAmerica: Numbering = {
  code: '1',
  forms: [
    (a, b, c) => `(${a}) ${b}-${c}`,
    (a, b, c) => `${a}-${b}-${c}`,
    (a, b, c) => `${a}.${b}.${c}`,
    (a, b, c) => `+1 ${a} ${b} ${c}`,
    (a, b, c) => `1-${a}-${b}-${c}`,
    (a, b, c) => `${a}${b}${c}`,
    (a, b, c) => `(${a}) ${b}-${c} x12`,
    (a, b, c) => `${a}/${b}-${c}`,
    (a, b, c) => `${a} ${b}\u2011${c}`,
  ],
  only: [(_, b, c) => `${b}-${c}`, (_, b, c) => `${b} ${c}`],
};
/** Stored with its code: the organization is in the United States. */
const poland: Numbering = {
  code: '48',
  forms: [
    (a, b, c) => `+48 ${a} ${b} ${c.slice(1)}`,
    (a, b, c) => `${a} ${b} ${c.slice(1)}`,
    (a, b, c) => `+48${a}${b}${c.slice(1)}`,
  ],
  only: [],
};

const somePhone = fc
  .record({
    plan: fc.constantFrom(northAmerica, northAmerica, northAmerica, poland),
    area: fc.integer({ min: 601, max: 609 }),
    office: fc.integer({ min: 200, max: 999 }),
    line: fc.integer({ min: 1_000, max: 9_999 }),
    stored: fc.nat(6),
  })
  .map(({ plan, area, office, line, stored }) => {
    const groups = [String(area), String(office), String(line)] as const;
    const national = plan === poland ? groups.join('').slice(0, 6) + String(line).slice(1) : groups.join('');
    const form = plan === poland ? plan.forms[0] : plan.forms[stored];
    return {
      Phone: form?.(...groups) ?? '',
      phoneKey: `+${plan.code}${national}`,
      certain: plan.forms.map((write) => write(...groups)),
      only: plan.only.map((write) => write(...groups)),
    };
  });

export const somePerson: fc.Arbitrary<SomePerson> = fc
  .record({ name: someName, address: someAddress, phone: somePhone, mail: fc.nat(9_999), isMailShort: fc.boolean() })
  .map(({ name, address, phone, mail, isMailShort }) => {
    const local = foldedWords(isMailShort ? name.last : `${name.first} ${name.last}`).join('.');
    const Email = `${local}${mail}@example.com`;
    return {
      fields: { Name: name.stored, Email, Phone: phone.Phone, Address1: address.Address1, Address2: address.Address2 },
      phoneKey: phone.phoneKey,
      certain: [...name.certain, ...address.certain, ...phone.certain, Email, Email.toUpperCase(), `<${Email}>`],
      only: [...name.only, ...address.only, ...phone.only],
      words: new Set([...name.words, ...address.words, ...foldedWords(Email).slice(0, 1)]),
    };
  });

/** No word of them is one of a person; short names are within some. */
const fillers = [
  'Mowing',
  'Window Cleaning',
  'call',
  'the lilac',
  'shadow',
  'Alabama',
  'winter',
  'Dowel',
  'mayor',
  'Net 30',
  'lane clearing',
  'Street',
  'twice',
  'Analysis',
  'English',
  'no',
];

/** A text about nobody. */
export const someFiller: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...fillers), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));

/** A text with something in the middle. */
export const around = (before: string, middle: string, after: string): string => `${before} / ${middle} / ${after}`;
