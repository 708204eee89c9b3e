import { InternalError } from '../shared/failure.ts';

/** Sign-in: a user pool of Amazon Cognito that has the users of one account, by their e-mail addresses. */

/**
 * What the pool did for a person. `notEnrolled`: they have no authenticator app yet. `kept`: the pool requires the
 * factor. `away`: it did not answer, so the change may or may not have been made.
 */
export type MfaOutcome = 'done' | 'notFound' | 'notEnrolled' | 'kept' | 'away';

/** A person in the pool. */
export interface Person {
  /** The pool's own name of the person, which stays when the e-mail address changes. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isEnabled: boolean;
  /** Whether the person has not chosen a password yet. */
  readonly isInvited: boolean;
  /** When the person was added to the pool, in milliseconds. */
  readonly created: number;
}

/** The pool refuses a person permanently: repeating the request does not help. */
export class PersonRefused extends InternalError {
  override readonly name = 'PersonRefused';
  /** The Cognito exception, or `PersonOfAnotherUser`. */
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`The sign-in refuses a person: ${reason}.`, { cause });
    this.reason = reason;
  }
}

export interface UserPool {
  /** Finds a person by e-mail address or by the pool's own name. */
  find(name: string): Promise<Person | undefined>;
  /** Adds a person, who gets one invitation; `undefined` if the address is taken. Throws PersonRefused. */
  invite(person: Pick<Person, 'email' | 'name'>): Promise<Person | undefined>;
  /** Sends the invitation again, to the current address. Throws PersonRefused. */
  inviteAgain(person: Person): Promise<void>;
  /** Changes the address, which counts as verified, or the name. Throws PersonRefused. */
  change(person: Person, to: Partial<Pick<Person, 'email' | 'name'>>): Promise<void>;
  /** Allows or forbids sign-in; forbidding ends all sessions of the person. */
  enable(person: Person, isEnabled: boolean): Promise<void>;
  /** Everybody in the pool. */
  list(): AsyncIterable<Person>;
  /**
   * Changes the second factor of the people with these e-mail addresses; each change is safe to repeat. Throws 503 if
   * the pool answers for none of them.
   */
  changeMfa(
    action: 'enable' | 'disable' | 'reset',
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, MfaOutcome>>;
}
