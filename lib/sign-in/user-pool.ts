import { InternalError } from '../shared/failure.ts';

/**
 * The sign-in of people: a user pool of Amazon Cognito that has the users of one account, by their e-mail addresses.
 */

/**
 * What the pool did for a person. `notEnrolled`: they have no authenticator app yet. `kept`: the pool requires the
 * factor. `away`: it gave no answer, and may have done it or not.
 */
export type MfaOutcome = 'done' | 'notFound' | 'notEnrolled' | 'kept' | 'away';

/** A person as the pool has them. */
export interface Person {
  /** The pool's own name of the person, which stays when the e-mail address changes. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isEnabled: boolean;
  /** Whether the person has not chosen a password yet. */
  readonly isInvited: boolean;
  /** When the pool made the person, in milliseconds. */
  readonly created: number;
}

/** The pool refuses a person for good: the same request is refused again. */
export class PersonRefused extends InternalError {
  override readonly name = 'PersonRefused';
  /** The exception of Cognito, or `PersonOfAnotherUser`. */
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`The sign-in refuses a person: ${reason}.`, { cause });
    this.reason = reason;
  }
}

export interface UserPool {
  /** A person by e-mail address, or by the pool's own name. */
  find(name: string): Promise<Person | undefined>;
  /** Makes a person, who gets one invitation; `undefined` if the address has somebody. Throws PersonRefused. */
  invite(person: Pick<Person, 'email' | 'name'>): Promise<Person | undefined>;
  /** Sends the invitation again, to the present address. Throws PersonRefused. */
  inviteAgain(person: Person): Promise<void>;
  /** Changes the address, which counts as verified, or the name. Throws PersonRefused. */
  change(person: Person, to: Partial<Pick<Person, 'email' | 'name'>>): Promise<void>;
  /** Lets a person sign in, or not: then all their sessions end. */
  enable(person: Person, isEnabled: boolean): Promise<void>;
  /** Everybody in the pool. */
  list(): AsyncIterable<Person>;
  /**
   * Changes the second factor of the people with these e-mail addresses; each change can be repeated. Throws 503 where
   * the pool answers for none of them.
   */
  changeMfa(
    action: 'enable' | 'disable' | 'reset',
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, MfaOutcome>>;
}
