import { blankMessageSettings } from '../../lib/domain/messages/apply-settings.ts';
import { messageSettingsChange } from '../../lib/store/message-settings.ts';
import { type NewMessage, newMessageChange } from '../../lib/store/messages.ts';
import { testTable } from './stack/stack.ts';

interface Account {
  readonly accountId: string;
}

/** Turns the messages of an account on, or off. */
export const turnMessages = ({ accountId }: Account, On: boolean): Promise<void> =>
  testTable().commit([messageSettingsChange({ account: accountId }, { ...blankMessageSettings(0), On, Since: 1 })]);

/** Stores message 9000 of contact 1, who has got it. */
export const putExampleMessage = (account: Account): Promise<NewMessage> =>
  putMessage(account, { Id: 9000, ContactId: 1, Due: Date.now(), State: 'Delivered', SentAt: Date.now() });

/** Stores a message of a contact that was decided; most of its fields are of no account. */
export async function putMessage(
  { accountId }: Account,
  message: Pick<NewMessage, 'Id' | 'ContactId' | 'Due'> & Partial<NewMessage>,
): Promise<NewMessage> {
  const whole: NewMessage = {
    OrganizationId: 1,
    Kind: 'Invoice',
    Channel: 'Email',
    Address: 'ann@example.com',
    State: 'Suppressed',
    Reason: '',
    Noun: 'Invoice',
    RecordId: 1,
    Visits: [],
    Stamp: '',
    SentAt: null,
    Uncertain: false,
    ClaimedUntil: 0,
    ServiceId: '',
    ...message,
  };
  await testTable().commit([newMessageChange({ account: accountId }, whole, { keptDays: 1, now: new Date() })]);
  return whole;
}
