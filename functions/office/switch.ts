import type { OfficeAnswer, OfficeCall } from '../../lib/api/http/office-route.ts';
import type { ApiKeyRecord } from '../../lib/entities/api-keys.ts';
import type { UserRecord } from '../../lib/entities/users.ts';
import type { OfficeFrame } from '../../lib/pages/office/frame.ts';
import { switchPage } from '../../lib/pages/office/switch-page.ts';
import { findOrganizations } from '../../lib/store/organizations/organizations.ts';
import { keyStore } from '../../lib/store/requests/api-keys.ts';
import { endSession, startSession } from '../../lib/store/requests/sessions.ts';
import { accountStore } from '../../lib/store/store.ts';
import { findOtherUsers } from '../../lib/workflows/users/sign-in-user.ts';
import { readId } from '../pages/parameters.ts';
import { sessionCookie } from './cookies.ts';
import { htmlAnswer, seeOther } from './office-page.ts';

interface Opened {
  readonly session: ApiKeyRecord;
  readonly user: UserRecord;
}

/** The organizations in which a person works. Other pages do not ask, so that they cost no more. */
export async function showUsers(
  { table }: OfficeCall,
  { session, user }: Opened,
  frame: OfficeFrame,
): Promise<OfficeAnswer> {
  const store = accountStore(table, session.Account);
  const users = [user, ...(await findOtherUsers(store, user))];
  const organizations = await findOrganizations(
    store,
    users.map(({ OrganizationId }) => OrganizationId),
  );
  const names = new Map(organizations.map(({ Id, PublicName }) => [Id, PublicName]));
  const [current, ...others] = users.map(({ Id, Role, OrganizationId }) => ({
    id: Id,
    role: Role,
    organization: names.get(OrganizationId) ?? String(OrganizationId),
  }));
  return htmlAnswer(switchPage(frame, { current, others }));
}

/** Goes on as the same person's user of another organization, for as long as the session would have lasted. */
export async function switchUser(
  { table, now }: OfficeCall,
  { session, user }: Opened,
  sent: URLSearchParams,
): Promise<OfficeAnswer | undefined> {
  const store = accountStore(table, session.Account);
  const wanted = readId(sent.get('user'));
  const next = (await findOtherUsers(store, user)).find(({ Id }) => Id === wanted);
  if (!next) return undefined;
  const credential = await startSession(store, next, now, session.ExpiresAt ?? undefined);
  await endSession(keyStore(table, session), session, now);
  return seeOther('/office', [sessionCookie(credential)]);
}
