import type { ServiceAgentInput } from '../../domain/service-agents.ts';
import { type BusyFrom, MAX_CALENDARS, type ServiceAgentRecord } from '../../entities/service-agents.ts';
import { type FieldError, InternalError } from '../../shared/failure.ts';
import { seal } from '../../shared/web/sealed-text.ts';
import { addressId, shownAddress } from '../../shared/web/secret-addresses.ts';
import { parseCallbackAddress } from '../../shared/web/web-addresses.ts';
import type { StoreAccount } from '../../store/store.ts';
import { sealName } from '../private-events/seal-name.ts';

/** What it takes to store addresses of calendars. */
export interface CalendarRules {
  /** True only on the local stack. */
  readonly allowsLoopback: () => boolean;
  /** Reads the deployment's key, which seals the addresses. */
  readonly readKey: () => Promise<string>;
}

/** The calendars of an agent after a request; `undefined` if it says nothing of them. */
interface ReadBusyFrom {
  readonly calendars: readonly BusyFrom[] | undefined;
  readonly errors: readonly FieldError[];
}

/** What a phone or a page calls the address of a feed. */
const WEBCAL = /^webcals?:\/\//i;

/** What answers show of an address would be an address, too. */
const NOT_KNOWN = 'is not a calendar that this service agent has. Send the whole address of the feed';

/**
 * Reads BusyFrom: an address, or what answers show of one that the agent has, which keeps it. Addresses are sealed
 * before they are stored, because whoever has one can read the calendar.
 */
export async function readBusyFrom(
  { account }: StoreAccount,
  before: Pick<ServiceAgentRecord, 'Calendars'> | undefined,
  { BusyFrom }: ServiceAgentInput,
  rules: CalendarRules | undefined,
): Promise<ReadBusyFrom> {
  if (BusyFrom === undefined) return { calendars: undefined, errors: [] };
  if (!rules) throw new InternalError('Calendars need the key that seals their addresses.');
  const texts = (BusyFrom ?? []).map((text) => text.trim()).filter(Boolean);
  const message = `must have at most ${MAX_CALENDARS} addresses`;
  if (texts.length > MAX_CALENDARS) return { calendars: [], errors: [{ field: 'BusyFrom', code: 'limit', message }] };
  const read = await Promise.all(
    texts.map(async (text, index): Promise<BusyFrom | FieldError> => {
      const known = before?.Calendars.find(({ Shown }) => Shown === text);
      if (known) return known;
      if (text.includes('…')) return { field: `BusyFrom[${index}]`, code: 'not_found', message: NOT_KNOWN };
      const parsed = parseCallbackAddress(text.replace(WEBCAL, 'https://'), { allowLoopback: rules.allowsLoopback() });
      if (!parsed.ok) return { field: `BusyFrom[${index}]`, code: 'format', message: parsed.error };
      const { address } = parsed;
      const Id = addressId(address);
      const same = before?.Calendars.find((each) => each.Id === Id);
      return (
        same ?? { Id, Shown: shownAddress(address), Sealed: seal(address, await rules.readKey(), sealName(account)) }
      );
    }),
  );
  const calendars = read.filter((each) => 'Id' in each);
  return {
    calendars: [...new Map(calendars.map((each) => [each.Id, each])).values()],
    errors: read.filter((each) => 'field' in each),
  };
}
