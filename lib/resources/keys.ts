import { rolesLeastFirst } from '../shared/roles.ts';
import { IdName } from './addresses.ts';
import {
  type Output,
  moment,
  described,
  flag,
  int32,
  list,
  nested,
  nullable,
  resource,
  text,
  numbered,
} from './fields.ts';

/** What a key can read about itself. */
export const OwnKey = resource('OwnKey', () => ({
  Public: described(text(12), 'The public part of the key, by which logs and events name it.'),
  Name: described(text(200), 'The program or person that uses the key.'),
  Role: numbered(rolesLeastFirst),
  AccountId: text(50),
  Organization: described(nested(IdName), 'null: the key is of the whole account.'),
  Agent: described(nested(IdName), "The service agent whose visits are all that the key reaches; null: nobody's."),
  Allow: described(list(text(100)), 'Operations and groups (appointments/*); empty: all that the role may call.'),
  ReadOnly: described(flag(), 'Whether the key may call only operations that read.'),
  Assistant: described(numbered(['read', 'write']), 'What assistants (POST /mcp) may do with the key.'),
  From: described(list(text(100)), 'Ranges of the addresses from which the key may be used; empty: any.'),
  Rate: described(int32(), 'Calls a second.'),
  Burst: described(int32(), 'Calls at once after a pause.'),
  InFlight: described(int32(), 'Calls that may run at the same time.'),
  Subscriber: described(text(100), 'Whose position in the event queue the key moves.'),
  DateStyle: described(numbered(['iso', 'us']), 'Format of moments that are texts.'),
  Lenient: described(flag(), 'Whether unknown fields are ignored and named in Message, instead of refused.'),
  Channel: described(text(100), 'The channel of new contacts that come without one.'),
  Campaign: described(text(100), 'The campaign of new contacts that come without one.'),
  Feed: described(numbered(['standard', 'flat']), 'Shape of the events that datasubscriber/fetch answers.'),
  CreatedAt: moment(),
  ExpiresAt: described(nullable(moment()), 'null: never.'),
}));
export type OwnKey = Output<typeof OwnKey>;
