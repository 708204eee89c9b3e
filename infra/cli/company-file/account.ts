import * as z from 'zod';
import {
  type Account,
  DEFAULT_PROPOSAL_SETTINGS,
  type ProposalSettings,
  findAccount,
} from '../../../lib/store/accounts.ts';
import { layout } from '../../../lib/store/keys.ts';
import type { Target } from './section.ts';
import { type Row, fieldChanges } from './diff.ts';
import type { FileValue } from './form.ts';

/** What the company file says of the account itself. */
export interface AccountEntry {
  readonly company?: string | undefined;
  readonly proposals?: { readonly expireAfterDays?: number | null | undefined } | null | undefined;
}

/** The fields of the file that are not lists. */
export const accountFields = (): Record<keyof AccountEntry, z.ZodType> => ({
  company: z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .optional(),
  proposals: z
    .strictObject(
      {
        expireAfterDays: z
          .int('must be a whole number of days')
          .min(0, 'must be 0 (never) or more')
          .max(3_650, 'must be at most 3650')
          .nullish(),
      },
      'must be a mapping: `expireAfterDays: 30`',
    )
    .nullish(),
});

/** Absent leaves what there is, `null` goes back to what a new account has. */
const proposalsOf = (input: AccountEntry['proposals'], before: ProposalSettings): ProposalSettings => {
  if (input === undefined) return before;
  if (input === null) return DEFAULT_PROPOSAL_SETTINGS;
  const { expireAfterDays = before.ExpireAfterDays } = input;
  return { ExpireAfterDays: expireAfterDays ?? DEFAULT_PROPOSAL_SETTINGS.ExpireAfterDays };
};

const shown = (account: Account | undefined, proposals: ProposalSettings | undefined = account?.Proposals) => ({
  company: account?.Name ?? '',
  proposals: { expireAfterDays: (proposals ?? DEFAULT_PROPOSAL_SETTINGS).ExpireAfterDays },
});

/** What the account says of itself, as the file does; what a new account has anyway is left out. */
export async function accountToFile({ table, account }: Target): Promise<FileValue> {
  const { company, proposals } = shown(await findAccount(table, account));
  return { company, ...(proposals.expireAfterDays ? { proposals } : {}) };
}

const rowOf = (Section: string, Name: string, before: object, after: object): Row => {
  const Fields = fieldChanges(before, after);
  return { Section, Name, Change: Fields.length ? 'updated' : 'unchanged', Fields };
};

/** Brings what the file says of the account itself: a row for each field that it names. */
export async function importAccount({ table, account }: Target, input: AccountEntry): Promise<Row[]> {
  const found = await findAccount(table, account);
  const proposals = proposalsOf(input.proposals, found?.Proposals ?? DEFAULT_PROPOSAL_SETTINGS);
  const before = shown(found);
  const after = { ...shown(found, proposals), company: input.company ?? before.company };
  const rows = [
    ...(input.company === undefined
      ? []
      : [rowOf('company', after.company, { company: before.company }, { company: after.company })]),
    ...(input.proposals === undefined ? [] : [rowOf('proposals', 'proposals', before.proposals, after.proposals)]),
  ];
  if (rows.some(({ Change }) => Change === 'updated')) {
    const set = { Name: after.company, Proposals: proposals };
    await table.commit([{ update: layout.account.key({ account }), set, if: 'present' }]);
  }
  return rows;
}
