import { randomUUID } from 'node:crypto';
import type { UserRecord } from '../../entities/users.ts';
import { isEqual, omit } from '../../shared/objects.ts';
import { InternalError } from '../../shared/failure.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { type Person, PersonRefused, type UserPool } from '../../sign-in/user-pool.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import type { TableReader, TableWriter } from '../../store/dynamodb/table.ts';
import { findUserAt, findUsersByEmail, listAllUsers, userChanges } from '../../store/organizations/users.ts';
import { type Key, accountOfKey } from '../../store/keys.ts';

/** What the pool was told of a person. `waits`: the rest is for later, when another person has left the address. */
export type SignInStep = 'invited' | 'moved' | 'renamed' | 'enabled' | 'disabled' | 'refused' | 'waits';

/** A domain that can never be (RFC 6761). */
const NOWHERE = '@moving.invalid';

/** Runs after which a user who changes all the time waits for the next delivery. */
const MAX_RUNS = 10;

/**
 * Makes the person in the user pool what their user is: invited once to each address, under the present name and
 * address, and able to sign in while a user of the address is active. Sets the pool first, then writes the user; if a
 * record changed meanwhile, it does so again. Writes at once. Safe to repeat, also concurrently and after a kill.
 */
export async function followUser(table: TableWriter, pool: UserPool, key: Key): Promise<SignInStep[]> {
  const account = accountOfKey(key) ?? '';
  const steps: SignInStep[] = [];
  for (let run = 0; run < MAX_RUNS; run++) {
    const seen = await look(table, account, key);
    if (!seen) return steps;
    try {
      await new Following({ table, pool, account, seen, steps }).follow();
    } catch (error) {
      if (error instanceof StoreConflict) continue;
      throw error;
    }
    if (steps.includes('waits') || isSame(seen, await look(table, account, key))) return steps;
  }
  throw new InternalError('A user changes all the time.');
}

/** A user, and all of the account who have the same address: they are one person. */
interface Seen {
  readonly user: UserRecord;
  readonly people: readonly UserRecord[];
}

async function look(table: TableReader, account: string, key: Key): Promise<Seen | undefined> {
  const user = await findUserAt(table, key);
  return user && { user, people: await findUsersByEmail(table, account, [user.Email]) };
}

/** Somebody who is about to leave has the address still. */
class AddressTaken extends InternalError {
  override readonly name = 'AddressTaken';
}

/** What the pool does not depend on. */
const withoutMarks = (user: UserRecord) => omit(user, 'V', 'SignInId', 'SignInEmail', 'SignInRefusal', 'SignInAt');

const isSame = (seen: Seen, now: Seen | undefined): boolean =>
  now !== undefined && isEqual(seen.people.map(withoutMarks), now.people.map(withoutMarks));

const isAnyActive = (users: readonly UserRecord[]): boolean => users.some(({ Active }) => Active);

interface Task {
  readonly table: TableWriter;
  readonly pool: UserPool;
  readonly account: string;
  readonly seen: Seen;
  readonly steps: SignInStep[];
}

/** One run for a user as they were read. Throws StoreConflict where they have changed since. */
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
      if (error instanceof AddressTaken) return void this.#task.steps.push('waits');
      if (!(error instanceof PersonRefused)) throw error;
      this.#task.steps.push('refused');
      await this.#remember({ SignInRefusal: error.reason });
    }
  }

  /** Tells the pool what differs there. */
  async #tell(): Promise<void> {
    const { pool, seen, steps } = this.#task;
    const email = normalizeEmail(this.#user.Email);
    const active = seen.people.filter(({ Active }) => Active).toSorted((one, other) => one.Id - other.Id);
    const name = (active[0] ?? this.#user).Name;
    const kept = await this.#findMoved(email);
    const person =
      kept ?? (await this.#findAt(email)) ?? (active.length ? await this.#invite({ email, name }) : undefined);
    if (!person) return this.#remember({ SignInId: '', SignInEmail: '', SignInRefusal: '' });
    if (person.name !== name) {
      await pool.change(person, { name });
      steps.push('renamed');
    }
    await this.#enable(person, active.length > 0);
    // An invitation that went to a former address is sent again, once the person may come.
    const isMissing = kept !== undefined && person.isInvited && this.#user.SignInEmail !== email;
    if (isMissing && active.length) {
      await pool.inviteAgain(person);
      steps.push('invited');
    }
    const SignInEmail = isMissing && !active.length ? this.#user.SignInEmail : email;
    await this.#remember({ SignInId: person.id, SignInEmail, SignInRefusal: '' });
  }

  /**
   * The person whom the pool has for this user, under the present address. `undefined` where there is none, where
   * another user keeps the person, or where somebody else has the address for good.
   */
  async #findMoved(email: string): Promise<Person | undefined> {
    const { table, pool, account, steps } = this.#task;
    const name = this.#user.SignInId || this.#user.SignInEmail;
    const person = name ? await pool.find(name) : undefined;
    if (!person || person.email === email) return person;
    const others = (await findUsersByEmail(table, account, [person.email])).filter(
      ({ SignInId }) => SignInId === person.id,
    );
    if (others.length || (await this.#findAt(email, person))) {
      await this.#enable(person, isAnyActive(others));
      return undefined;
    }
    await pool.change(person, { email });
    steps.push('moved');
    return { ...person, email };
  }

  /**
   * Who has an address for good. A person whose user has another one is about to leave: nobody else may get their
   * password and second factor. `own` leaves its address meanwhile, for two who change places. Throws AddressTaken.
   */
  async #findAt(email: string, own?: Person): Promise<Person | undefined> {
    const { table, pool, account } = this.#task;
    const person = await pool.find(email);
    if (!person) return undefined;
    const users = (await listAllUsers(table, account)).filter(({ SignInId }) => SignInId === person.id);
    if (!users.length || users.some(({ Email }) => normalizeEmail(Email) === email)) return person;
    if (own && !own.email.endsWith(NOWHERE)) await pool.change(own, { email: `${randomUUID()}${NOWHERE}` });
    throw new AddressTaken('The address is taken for a moment.');
  }

  /** Remembers the address first: a run after a kill finds the person by it, also if the user has another one then. */
  async #invite(person: Pick<Person, 'email' | 'name'>): Promise<Person> {
    await this.#remember({ SignInId: '', SignInEmail: person.email });
    const invited = await this.#task.pool.invite(person);
    this.#task.steps.push('invited');
    return invited;
  }

  async #enable(person: Person, isEnabled: boolean): Promise<void> {
    if (person.isEnabled === isEnabled) return;
    await this.#task.pool.enable(person, isEnabled);
    this.#task.steps.push(isEnabled ? 'enabled' : 'disabled');
  }

  /** Writes what the pool knows of the user. */
  async #remember(known: Partial<Pick<UserRecord, 'SignInId' | 'SignInEmail' | 'SignInRefusal'>>): Promise<void> {
    const { table, account } = this.#task;
    const after = { ...this.#user, ...known };
    if (isEqual(after, this.#user)) return;
    const { record, changes } = userChanges(account, this.#user, after);
    await table.commit(changes);
    this.#user = record;
  }
}
