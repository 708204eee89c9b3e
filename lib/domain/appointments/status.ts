/** Statuses of an appointment, by their number (interface, section 6). */
export const STATUSES = ['Queued', 'Scheduled', 'Started', 'Completed', 'Canceled', 'Tentative'] as const;
export type StatusName = (typeof STATUSES)[number];

export const Status = {
  Queued: 0,
  Scheduled: 1,
  Started: 2,
  Completed: 3,
  Canceled: 4,
  Tentative: 5,
} as const satisfies Record<StatusName, number>;
export type Status = (typeof Status)[StatusName];

export const statusName = (status: number): string => STATUSES[status] ?? String(status);

/** Whether an appointment of the status takes time of its agents. A completed one did: its time stays taken. */
export const occupiesTime = (status: number): boolean =>
  status === Status.Scheduled ||
  status === Status.Started ||
  status === Status.Completed ||
  status === Status.Tentative;

/** Least rank a change of status asks for: of anybody who may call the operation, of the office, of an administrator. */
type Rank = 'anyone' | 'office' | 'admin';

const MOVES: Readonly<Record<StatusName, Partial<Record<StatusName, Rank>>>> = {
  Queued: { Scheduled: 'anyone', Tentative: 'anyone', Canceled: 'anyone' },
  Tentative: { Scheduled: 'anyone', Canceled: 'anyone', Queued: 'anyone' },
  Scheduled: { Started: 'anyone', Completed: 'anyone', Canceled: 'anyone', Queued: 'anyone', Tentative: 'anyone' },
  Started: { Completed: 'anyone', Canceled: 'anyone' },
  // Reopening changes what may be invoiced already.
  Completed: { Started: 'admin' },
  Canceled: { Queued: 'office', Scheduled: 'office' },
};

const MAY: Readonly<Record<Exclude<Rank, 'anyone'>, { readonly roles: readonly string[]; readonly words: string }>> = {
  office: { roles: ['Owner', 'Admin', 'Office'], words: 'Office' },
  admin: { roles: ['Owner', 'Admin'], words: 'Admin' },
};

/** That a status may change so; `conflict` (409) for a change that nobody may make, `forbidden` (403) for one the role may not. */
export type StatusChange =
  { readonly ok: true } | { readonly ok: false; readonly kind: 'conflict' | 'forbidden'; readonly message: string };

/** Whether a caller of the role may change an appointment from one status to the other; staying as it is, too, is no change. */
export function changeStatus(from: number, to: number, role: string): StatusChange {
  const [was, becomes] = [STATUSES[from], STATUSES[to]];
  const rank = was && becomes && MOVES[was][becomes];
  if (!rank)
    return {
      ok: false,
      kind: 'conflict',
      message: `The appointment is ${statusName(from)}, which cannot become ${statusName(to)}.`,
    };
  if (rank === 'anyone' || MAY[rank].roles.includes(role)) return { ok: true };
  return { ok: false, kind: 'forbidden', message: `Only ${MAY[rank].words} may make a ${was} appointment ${becomes}.` };
}
