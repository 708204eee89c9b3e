import type { Output } from '../resources/fields.ts';
import { rolesLeastFirst } from '../shared/roles.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, moment, number, text, texts, word } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** A user. One of whom nothing else is known is active and has the least rights. */
export const userEntity = entity('User', {
  Id: id({ resource: true }),
  OrganizationId: id(),
  Email: text({ max: 254, resource: true }),
  Name: text({ max: 200, resource: true }),
  MobilePhone: text({ event: true }),
  Active: flag({ absent: true, resource: true }),
  ServiceAgentId: id({ nullable: true, resource: true }),
  Role: word(rolesLeastFirst, { resource: true }),
  MfaEnabled: flag({ event: true }),
  /** What was enrolled as a second factor before this moment is void. */
  MfaResetAt: moment({ nullable: true, event: true }),
  /** When the sign-in last followed the flags. Of two calls at once the later one sets the sign-in again. */
  SignInAt: moment({ nullable: true, event: true }),
  /** The person in the user pool, by the pool's own name; `''` until the pool has followed. */
  SignInId: text({ event: true }),
  /** Everybody in the pool who ever was this user's person. */
  SignInIds: texts(),
  /** Whom the pool made for this user. They follow its name and address unless another user ever had them. */
  InvitedId: text(),
  /** The e-mail address that the person has there, and the last invitation went to. */
  SignInEmail: text(),
  /** Since when a run of the worker has been inviting the person: another run waits for its end. */
  InvitingSince: moment({ nullable: true }),
  /** Why the pool refuses the person for good: an exception of Cognito. */
  SignInRefusal: text({ event: true }),
  Created: moment({ required: true }),
  V: number(),
});
export type UserRecord = RecordOf<typeof userEntity>;

export const User = /* @__PURE__ */ resourceOf(userEntity, { carriesResult: true });
export type User = Output<typeof User>;
