import type { CollectedRequest } from './requests.ts';
import { recordsIn } from './run.ts';

/** How a script of Postman or Bruno reads and sets variables, reads the answer, and skips its request. */
export interface Dialect {
  readonly get: string;
  readonly set: string;
  readonly skip: string;
  readonly status: string;
  readonly answer: string;
}

/** Nothing is changed until somebody allows it. */
export const CHANGES = { key: 'allowChanges', value: 'no' };

/** The variables that the run has set itself, with their values: no other record is changed. */
const OWN = 'own';
const readOwn = ({ get }: Dialect): string => `const own = JSON.parse(${get}('${OWN}') || '{}');`;

/** Forgets the records of a run, because the next run may use another account's key. */
const forget = ({ set }: Dialect): string => `${set}('${OWN}', '{}');`;

const chooseDay = ({ set }: Dialect): string =>
  `${set}('day', new Date(Date.now() + 14 * 86400000).toISOString().slice(0, 10));`;

/** The script that runs before a request; no line if it is empty. */
export function scriptBefore(request: CollectedRequest, isFirst: boolean, dialect: Dialect): string[] {
  return [
    ...(isFirst ? [forget(dialect), chooseDay(dialect)] : []),
    ...(request.changes ? guard(request, dialect) : []),
  ];
}

function guard({ operation, isByChoice, body }: CollectedRequest, dialect: Dialect): string[] {
  const { get, skip } = dialect;
  const allowed = `const allowed = ${get}('${CHANGES.key}');`;
  if (isByChoice) return [allowed, `if (allowed !== '${operation}') ${skip};`];
  return [
    allowed,
    readOwn(dialect),
    `const isOwn = ${JSON.stringify(recordsIn(body))}.every((name) => own[name] === String(${get}(name)));`,
    `if (allowed !== '${operation}' && !(allowed === 'yes' && isOwn)) ${skip};`,
  ];
}

/** The script that runs after a request's answer; no line if it is empty. */
export function scriptAfter({ keeps }: CollectedRequest, isLast: boolean, dialect: Dialect): string[] {
  return [...(keeps ? keep(keeps, dialect) : []), ...(isLast ? [forget(dialect)] : [])];
}

const keep = (keeps: object, dialect: Dialect): string[] => [
  readOwn(dialect),
  `const answer = ${dialect.status} === 200 ? ${dialect.answer} : {};`,
  `for (const [name, path] of Object.entries(${JSON.stringify(keeps)})) {`,
  `  const value = path.split('.').reduce((part, key) => part?.[key], answer);`,
  '  delete own[name];',
  '  if (value === undefined || value === null) continue;',
  '  own[name] = String(value);',
  `  ${dialect.set}(name, own[name]);`,
  '}',
  `${dialect.set}('${OWN}', JSON.stringify(own));`,
];
