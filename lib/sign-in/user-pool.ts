/**
 * The sign-in of people: a user pool of Amazon Cognito that has the users of one account, by their e-mail addresses.
 */

/**
 * What the pool did for a person. `notEnrolled`: they have no authenticator app yet. `kept`: the pool requires the
 * factor. `away`: it gave no answer, and may have done it or not.
 */
export type MfaOutcome = 'done' | 'notFound' | 'notEnrolled' | 'kept' | 'away';

interface Person {
  readonly email: string;
  readonly name: string;
}

export interface UserPool {
  /**
   * Sends an invitation, once: `known` is who has a sign-in already. Throws 409 where the pool refuses it, and 503 where
   * it gives no answer.
   */
  invite(person: Person): Promise<'invited' | 'known'>;
  /**
   * Changes the second factor of the people with these e-mail addresses; each change can be repeated. Throws 503 where
   * the pool answers for none of them.
   */
  changeMfa(
    action: 'enable' | 'disable' | 'reset',
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, MfaOutcome>>;
}
