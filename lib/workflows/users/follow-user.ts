import { randomUUID } from 'node:crypto';
import type { UserRecord } from '../../entities/users.ts';
import { isEqual, pick } from '../../shared/objects.ts';
import { InternalError } from '../../shared/failure.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { type Person, PersonRefused, type UserPool } from '../../sign-in/user-pool.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import { findUserAt, findUsersByEmail, listAllUsers, userChanges } from '../../store/organizations/users.ts';
import type { Key } from '../../store/keys.ts';
import type { StoreReader, StoreWriter } from '../../store/store.ts';

/** The change to a person in the pool. `waits`: the rest is for later, when another run or person has made way. */
export type SignInStep = 'invited' | 'moved' | 'renamed' | 'enabled' | 'disabled' | 'refused' | 'waits';

/** Longer than a run of the worker, so that an earlier run is over. */
const INVITATION_MILLISECONDS = MINUTE;

/** The difference between our clock and Cognito's, whose times may lack milliseconds. */
const CLOCKS_APART = 2_000;

/** A domain that can never exist (RFC 6761). */
const NOWHERE = '@moving.invalid';

/** Runs after which a user who keeps changing waits for the next delivery. */
const MAX_RUNS = 10;

/**
 * Makes the person in the user pool match their user: invited once to each address, with the current name and address,
 * and able to sign in while a user of the address is active. Sets the pool first, then writes the user; if a record has
 * changed meanwhile, it starts again. Writes at once. Safe to repeat, also concurrently and after a kill.
 */
export async function followUser(store: StoreWriter, pool: UserPool, key: Key): Promise<SignInStep[]> {
  const steps: SignInStep[] = [];
  const invitations = new Set<number>();
  for (let run = 0; run < MAX_RUNS; run++) {
    const seen = await look(store, key);
    if (!seen) return steps;
    try {
      await new Following({ store, pool, seen, steps, invitations }).follow();
    } catch (error) {
      if (error instanceof StoreConflict) continue;
      throw error;
    }
    if (steps.includes('waits') || isSame(seen, await look(store, key))) return steps;
  }
  throw new InternalError('A user changes all the time.');
}

/** A user, and all users of the account with the same address: they are one person. */
interface Seen {
  readonly user: UserRecord;
  readonly people: readonly UserRecord[];
}

async function look(store: StoreReader, key: Key): Promise<Seen | undefined> {
  const user = await findUserAt(store, key);
  return user && { user, people: await findUsersByEmail(store, [user.Email]) };
}

/** Another run or person is temporarily in the way. */
class Later extends InternalError {
  override readonly name = 'Later';
}

/** The fields that the pool depends on. */
const followed = ({ people }: Seen) => people.map((user) => pick(user, 'Id', 'Name', 'Email', 'Active'));

const isSame = (seen: Seen, now: Seen | undefined): boolean =>
  now !== undefined && isEqual(followed(seen), followed(now));

/** Whether a person belongs to a user for good: the user has its id and its address. */
const isAt = ({ Email, SignInId }: UserRecord, person: Person): boolean =>
  SignInId === person.id && normalizeEmail(Email) === person.email;

const isAnyActive = (users: readonly UserRecord[]): boolean => users.some(({ Active }) => Active);

interface Task {
  readonly store: StoreWriter;
  readonly pool: UserPool;
  readonly seen: Seen;
  readonly steps: SignInStep[];
  /** The values of InvitingSince that this run wrote. */
  readonly invitations: Set<number>;
}

/** One run for a user as it was read. Throws StoreConflict if the user has changed since. */
class Following {
  readonly #task: Task;
  #user: UserRecord;

  constructor(task: Task) {
    this.#task = task;
    this.#user = task.seen.user;
  }

  async follow(): Promise<void> {
    try {
      await this.#tell();
    } catch (error) {
      if (error instanceof Later) return void this.#task.steps.push('waits');
      if (!(error instanceof PersonRefused)) throw error;
      this.#task.steps.push('refused');
      await this.#remember({ SignInRefusal: error.reason, InvitingSince: null });
    }
  }

  /** Sends the differences to the pool. */
  async #tell(): Promise<void> {
    const { pool, seen, steps, invitations } = this.#task;
    const { Name: name, Active, InvitingSince: since } = this.#user;
    if (since !== null && !invitations.has(since) && Date.now() < since + INVITATION_MILLISECONDS)
      throw new Later('Another run invites the person.');
    const email = normalizeEmail(this.#user.Email);
    const kept = await this.#findKept(email);
    const person = kept ?? (await this.#join(email)) ?? (Active ? await this.#invite({ email, name }) : undefined);
    if (!person) return this.#remember({ SignInId: '', SignInEmail: '', SignInRefusal: '', InvitingSince: null });
    if (person.name !== name && (await this.#isOwn(person))) {
      await pool.change(person, { name });
      steps.push('renamed');
    }
    const isActive = isAnyActive(seen.people);
    await this.#enable(person, isActive);
    // An invitation to a former address is sent again, once the person may come.
    const isMissing = kept !== undefined && person.isInvited && this.#user.SignInEmail !== email;
    if (isMissing && isActive) {
      await this.#remember(this.#invitation());
      await pool.inviteAgain(person);
      steps.push('invited');
    }
    const SignInEmail = isMissing && !isActive ? this.#user.SignInEmail : email;
    await this.#remember({ SignInId: person.id, SignInEmail, SignInRefusal: '', InvitingSince: null });
  }

  /**
   * The pool's person for this user at the current address. `undefined` without one, or if the user leaves the
   * person: a person who is not the user's own keeps the address.
   */
  async #findKept(email: string): Promise<Person | undefined> {
    const { pool, steps } = this.#task;
    const { SignInId } = this.#user;
    const person = SignInId ? await pool.find(SignInId) : await this.#findInvited();
    if (!person || person.email === email) return person;
    if (!(await this.#isOwn(person)) || (await this.#findAt(email, person))) {
      await this.#leave(person);
      return undefined;
    }
    await pool.change(person, { email });
    if (!(await this.#isOwn(person))) {
      await pool.change(person, { email: person.email });
      throw new Later('Another user has come to the person meanwhile.');
    }
    steps.push('moved');
    return { ...person, email };
  }

  /** The person invited by a run that was killed before it remembered them. */
  async #findInvited(): Promise<Person | undefined> {
    const { SignInEmail, InvitingSince } = this.#user;
    if (!SignInEmail || InvitingSince === null) return undefined;
    const person = await this.#task.pool.find(SignInEmail);
    if (!person || person.created < InvitingSince - CLOCKS_APART) return undefined;
    // InvitedId lets a later run find the person wherever this one moves them.
    await this.#remember({ ...this.#having(person), SignInId: person.id, InvitedId: person.id });
    return person;
  }

  /**
   * Whether the person was invited for this user alone and no other user ever had them: else somebody loses a password.
   */
  async #isOwn({ id }: Person): Promise<boolean> {
    return this.#user.InvitedId === id && (await this.#listOthers(id)).length === 0;
  }

  /** Other users who have or had a person. */
  async #listOthers(id: string): Promise<UserRecord[]> {
    const { store } = this.#task;
    return (await listAllUsers(store)).filter(
      // The previous version, which may run at the same time, writes only SignInId.
      (user) => user.Id !== this.#user.Id && [user.SignInId, ...user.SignInIds].includes(id),
    );
  }

  async #leave(person: Person): Promise<void> {
    const others = await this.#listOthers(person.id);
    await this.#enable(person, isAnyActive(others.filter((user) => isAt(user, person))));
  }

  /**
   * Takes the person whom the pool has at the address. A run that would move them looks for other users after the move.
   */
  async #join(email: string): Promise<Person | undefined> {
    const person = await this.#findAt(email);
    if (!person) return undefined;
    await this.#remember(this.#having(person));
    if ((await this.#task.pool.find(email))?.id !== person.id) throw new Later('The person has another address now.');
    return person;
  }

  /**
   * The person who permanently has an address. Nobody may get the password and second factor of another user: neither
   * of one who is about to leave the address (throws Later), nor of one who has left the person there (throws
   * PersonRefused). `own` leaves its address meanwhile, for two users who swap addresses.
   */
  async #findAt(email: string, own?: Person): Promise<Person | undefined> {
    const { pool } = this.#task;
    const person = await pool.find(email);
    if (!person) return undefined;
    const others = await this.#listOthers(person.id);
    if (!others.length || others.some((user) => isAt(user, person))) return person;
    if (!others.some(({ SignInId }) => SignInId === person.id)) {
      if (this.#user.SignInIds.includes(person.id)) return person;
      throw new PersonRefused('PersonOfAnotherUser');
    }
    if (own && !own.email.endsWith(NOWHERE)) await pool.change(own, { email: `${randomUUID()}${NOWHERE}` });
    throw new Later('Another person is about to leave the address.');
  }

  /**
   * Remembers the address first, so that a run after a kill finds the person by it, even if the user has another one
   * then.
   */
  async #invite(person: Pick<Person, 'email' | 'name'>): Promise<Person> {
    await this.#remember({ SignInId: '', SignInEmail: person.email, ...this.#invitation() });
    const invited = await this.#task.pool.invite(person);
    if (!invited) return this.#joinOrWait(person.email);
    this.#task.steps.push('invited');
    await this.#remember({ ...this.#having(invited), InvitedId: invited.id });
    return invited;
  }

  /** Somebody was invited to the address meanwhile. */
  async #joinOrWait(email: string): Promise<Person> {
    const person = await this.#join(email);
    if (!person) throw new Later('The person at the address has left it.');
    return person;
  }

  /** Adds the person to those whom the user has had. */
  #having({ id }: Person): Pick<UserRecord, 'SignInIds'> {
    const { SignInId, SignInIds } = this.#user;
    return { SignInIds: [...new Set([...SignInIds, ...(SignInId ? [SignInId] : []), id])] };
  }

  async #enable(person: Person, isEnabled: boolean): Promise<void> {
    if (person.isEnabled === isEnabled) return;
    await this.#task.pool.enable(person, isEnabled);
    this.#task.steps.push(isEnabled ? 'enabled' : 'disabled');
  }

  #invitation(): Pick<UserRecord, 'InvitingSince'> {
    const now = Date.now();
    this.#task.invitations.add(now);
    return { InvitingSince: now };
  }

  /** Writes what the pool knows about the user. */
  async #remember(
    known: Partial<
      Pick<UserRecord, 'SignInId' | 'SignInIds' | 'InvitedId' | 'SignInEmail' | 'SignInRefusal' | 'InvitingSince'>
    >,
  ): Promise<void> {
    const { store } = this.#task;
    const after = { ...this.#user, ...known };
    if (isEqual(after, this.#user)) return;
    const { record, changes } = userChanges(store, this.#user, after);
    await store.table.commit(changes);
    this.#user = record;
  }
}
