/**
 * A plan as text, for the call that applies it: the versions of the visits that it was made from, and its moves. It has
 * only letters, digits and `-._~`, so an address can carry it.
 */

export interface PlanRevision {
  readonly organizationId: number;
  /** `2027-03-09`. */
  readonly date: string;
  /** Until when it may be applied, in epoch milliseconds; absent for as long as nothing has changed. */
  readonly until?: number | undefined;
  /** The agents whose whole days it was made from. */
  readonly agentIds: readonly number[];
  /** The version of each visit, by its id. */
  readonly versions: ReadonlyMap<number, number>;
  readonly moves: readonly PlanMove[];
}

export interface PlanMove {
  readonly appointmentId: number;
  /** Epoch milliseconds; `null` puts it into the queue. */
  readonly start: number | null;
  readonly agentId: number;
}

/** The first characters, for another form later. */
const FORM = 'p1';
/** More moves fit in no transaction. */
const MAX_MOVES = 100;

const toText = (number: number): string => number.toString(36);

export const writeRevision = ({ organizationId, date, until, agentIds, versions, moves }: PlanRevision): string =>
  [
    FORM,
    toText(organizationId),
    date,
    toText(until ?? 0),
    agentIds.map(toText).join('.'),
    [...versions].map((pair) => pair.map(toText).join('.')).join('_'),
    moves
      .map(({ appointmentId, start, agentId }) => [appointmentId, start ?? 0, agentId].map(toText).join('.'))
      .join('_'),
  ].join('~');

/** Numbers of an answer of this API, `undefined` for any other text. */
function readNumbers(text: string, count?: number): number[] | undefined {
  if (text === '') return count === undefined ? [] : undefined;
  const parts = text.split('.');
  if (count !== undefined && parts.length !== count) return undefined;
  const numbers = parts.map((part) => (/^[0-9a-z]{1,10}$/.test(part) ? Number.parseInt(part, 36) : -1));
  return numbers.every((number) => number >= 0) ? numbers : undefined;
}

function readList(text: string, count: number): number[][] | undefined {
  const rows = text === '' ? [] : text.split('_').map((row) => readNumbers(row, count));
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

/** The plan that a text stands for; `undefined` for any other text. */
export function readRevision(text: string): PlanRevision | undefined {
  const [form, organization = '', date = '', end = '', agents = '', stored = '', moved = '', ...rest] = text.split('~');
  const numbers = readNumbers(`${organization}.${end}`, 2);
  const agentIds = readNumbers(agents);
  const versions = readList(stored, 2);
  const moves = readList(moved, 3);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date);
  if (form !== FORM || rest.length || !isDate || !numbers || !agentIds || !versions || !moves) return undefined;
  const [organizationId = 0, until = 0] = numbers;
  const isCovered = moves.every(([id]) => versions.some(([known]) => known === id));
  if (!isCovered || moves.length > MAX_MOVES) return undefined;
  return {
    organizationId,
    date,
    ...(until ? { until } : {}),
    agentIds,
    versions: new Map(versions.map(([id = 0, version = 0]) => [id, version])),
    moves: moves.map(([appointmentId = 0, start = 0, agentId = 0]) => ({
      appointmentId,
      start: start || null,
      agentId,
    })),
  };
}
