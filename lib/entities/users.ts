import type { Output } from '../resources/fields.ts';
import { rolesLeastFirst } from '../shared/roles.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, moment, number, text, texts, word } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** A user. By default active and with the fewest rights. */
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
  /** Second factors enrolled before this moment are void. */
  MfaResetAt: moment({ nullable: true, event: true }),
  /** When the sign-in was last updated from the flags. Of two concurrent calls, the later one updates it again. */
  SignInAt: moment({ nullable: true, event: true }),
  /** The person's name in the user pool; `''` until the pool is updated. */
  SignInId: text({ event: true }),
  /** Every person in the pool who was ever assigned to this user. */
  SignInIds: texts(),
  /**
   * The person that the pool made for this user. It follows the user's name and address unless another user ever had
   * it.
   */
  InvitedId: text(),
  /** The person's e-mail address in the pool, to which the last invitation was sent. */
  SignInEmail: text(),
  /** When the running worker started inviting the person; other runs wait until it ends. */
  InvitingSince: moment({ nullable: true }),
  /** Why the pool permanently refuses the person: an exception of Cognito. */
  SignInRefusal: text({ event: true }),
  Created: moment({ required: true }),
  V: number(),
});
export type UserRecord = RecordOf<typeof userEntity>;

export const User = /* @__PURE__ */ resourceOf(userEntity, { carriesResult: true });
export type User = Output<typeof User>;
