import type { Contact } from '../../../lib/entities/contacts.ts';
import { isDeepStrictEqual } from 'node:util';
import { openScan } from '../../../lib/store/dynamodb/scan.ts';
import { layout } from '../../../lib/store/keys.ts';
import { checkTable } from '../../../lib/workflows/fsck/check-table.ts';
import { goOnWithMerge } from '../../../lib/workflows/contacts/move-merged-records.ts';
import { type Bookable, bookable, weekdays } from '../../support/scheduling.ts';
import type { Deployment } from '../deployment.ts';
import type { Canary } from './canary.ts';
import { accountStore } from '../../../lib/store/store.ts';

/**
 * Both versions take turns on the items of one company, where several records depend on each other: they book beside
 * each other's buffers, pay with each other's credit, and change a contact that the other one merges.
 */
export class MixedCompany {
  readonly #canary: Canary;
  readonly #fail: (line: string) => void;
  readonly #company: Bookable;
  readonly #day = '2035-03-05';

  private constructor(canary: Canary, fail: (line: string) => void, company: Bookable) {
    this.#canary = canary;
    this.#fail = fail;
    this.#company = company;
  }

  static async proof(
    canary: Canary,
    { released, current }: Readonly<Record<'released' | 'current', Deployment>>,
    fail: (line: string) => void,
  ): Promise<void> {
    const services = [
      { Name: 'Clean', BasePrice: 50, BaseDuration: 60, BufferAfter: 30 },
      { Name: 'Look', BasePrice: 10, BaseDuration: 15 },
    ];
    const mixed = await canary.serve(current, async () => {
      const agents = [{ Name: 'Ann', TimeSlots: weekdays() }];
      return new MixedCompany(canary, fail, await bookable({ services, agents }));
    });
    const both = {
      newest: <Result>(work: () => Promise<Result>) => canary.serve(current, work),
      release: <Result>(work: () => Promise<Result>) => canary.serve(released, work),
    };
    await mixed.#buffers(both);
    await mixed.#credit(both);
    await mixed.#merge(both);
    mixed.#same('problems at the end', await mixed.#check(), []);
  }

  #same(what: string, actual: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(actual, expected))
      this.#fail(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }

  async #call(operation: string, body: object, status = 200): Promise<Record<string, unknown>> {
    const answer = await this.#canary.call(this.#company.key, operation, body);
    this.#same(`${operation} ${JSON.stringify(body)} ${answer.text}`, answer.status, status);
    return JSON.parse(answer.text) as Record<string, unknown>;
  }

  async #book(service: string, time: string, status = 200): Promise<number> {
    const { contact: ContactId, services, agents } = this.#company;
    const Slots = [{ DateTime: `${this.#day}T${time}`, ServiceAgentId: agents['Ann'] }];
    const answer = await this.#call('appointments/book', { ContactId, ServiceId: services[service], Slots }, status);
    return (answer['Slots'] as { AppointmentId: number }[] | undefined)?.[0]?.AppointmentId ?? 0;
  }

  async #locate(IdSearch: number): Promise<Partial<Contact>> {
    return ((await this.#call('contacts/locate', { IdSearch }))['Matches'] as Contact[])[0] ?? {};
  }

  async #buffers({ newest, release }: Turns): Promise<void> {
    const [first, moved] = await newest(async () => [
      await this.#book('Clean', '09:00'),
      await this.#book('Clean', '13:00'),
    ]);
    await release(async () => {
      await this.#book('Look', '10:00', 409);
      await this.#book('Look', '10:30');
      await this.#call('appointments/update', { AppointmentId: first, UpdateNote: 'Key is under the mat' });
      const Slots = [{ DateTime: `${this.#day}T15:00`, ServiceAgentId: this.#company.agents['Ann'] }];
      await this.#call('appointments/update', { AppointmentId: moved, Slots });
      await this.#book('Clean', '11:00');
    });
    await newest(async () => {
      await this.#book('Look', '10:00', 409);
      await this.#book('Look', '12:00', 409);
      const Slots = [{ DateTime: `${this.#day}T14:00`, ServiceAgentId: this.#company.agents['Ann'] }];
      await this.#call('appointments/update', { AppointmentId: moved, Slots });
      await this.#book('Look', '15:00', 409);
    });
  }

  async #credit({ newest, release }: Turns): Promise<void> {
    const { contact: ContactId } = this.#company;
    const invoiceOf = async (Rate: number): Promise<number> => {
      const Invoice = { ContactId, Status: 'Open', Lines: [{ Description: 'Work', Rate, Qty: 1 }] };
      return ((await this.#call('invoice/import', { Invoice }))['Invoice'] as { Id: number }).Id;
    };
    const pay = (InvoiceId: number, Amount: number, Method = 'Cash', status = 200) =>
      this.#call('payment/import', { Payment: { InvoiceId, Amount, Method } }, status);
    const [paid, open] = await newest(async () => {
      const invoices = [await invoiceOf(100), await invoiceOf(50)] as const;
      await pay(invoices[0], 120);
      return invoices;
    });
    await release(async () => {
      await pay(open, 10);
      await pay(open, -4);
      await pay(paid, -30);
      await pay(open, 100);
      await this.#call('contacts/addupdate', { Id: ContactId, Nickname: 'Pepe' });
    });
    await newest(async () => {
      // Of 120 for 100, 20 are credit; of 100 for the open 44, 56 more.
      this.#same('credit and payments', await this.#sums(), [76, 120]);
      await pay(paid, 20, 'Credit');
      await pay(paid, 80, 'Credit', 409);
    });
    await release(() => pay(paid, 5, 'Credit'));
    this.#same('credit and payments afterwards', await this.#sums(), [51, 145]);
  }

  async #sums(): Promise<unknown[]> {
    const { accountId: account, contact: id } = this.#company;
    const stored = await this.#canary.table.get(layout.contact.key({ account, id }));
    return [stored?.['CreditBalance'], stored?.['LifetimeValue']];
  }

  async #merge({ newest, release }: Turns): Promise<void> {
    const { accountId: account, services } = this.#company;
    const add = async (Name: string) =>
      ((await this.#call('contacts/addupdate', { Name, Email: `${Name}@example.com` }))['Matches'] as Contact[])[0]?.Id;
    const [kept = 0, merged = 0] = await newest(async () => {
      const both = [await add('Ann'), await add('Double')];
      await this.#call('task/create', { ContactId: both[1], Description: 'Before' });
      await this.#call('contacts/merge', { ContactId: both[0], MergeId: both[1] });
      return both;
    });
    const goOn = () => {
      const options = { now: new Date(), deadline: Date.now() + 60_000, settleMilliseconds: 0 };
      return goOnWithMerge(
        accountStore(this.#canary.table, account),
        layout.contactMerge.key({ account, id: kept, merged }),
        options,
      );
    };
    const expectTasks = (...descriptions: readonly string[]) =>
      newest(async () => {
        const { Tasks } = await this.#call('task/query', { ContactId: kept });
        const found = (Tasks as { Description: string }[]).map(({ Description }) => Description);
        this.#same('tasks of the contact that stays', found.toSorted(), descriptions.toSorted());
      });
    await release(async () => {
      await this.#call('contacts/addupdate', { Id: merged, Nickname: 'Annie' });
      await this.#call('task/create', { ContactId: merged, Description: 'On the way' });
      await this.#call('appointments/queue', { ContactId: merged, ServiceId: services['Look'] });
    });
    this.#same('merge', (await goOn()).kind, 'done');
    await expectTasks('Before', 'On the way');
    await release(() => this.#call('task/create', { ContactId: merged, Description: 'Afterwards' }));
    await expectTasks('Before', 'On the way', 'Afterwards');
    await newest(async () => this.#same('merged', (await this.#locate(merged)).Id, kept));
  }

  /** What `fs check` finds. */
  async #check(): Promise<string[]> {
    const { TableName: tableName, DynamoDBEndpoint: endpoint } = this.#canary.stack.local;
    const found: string[] = [];
    await checkTable(this.#canary.table, openScan({ tableName, endpoint }), {
      accounts: [this.#company.accountId],
      repair: false,
      now: () => new Date(),
      onFinding: ({ kind, key, message }) => void found.push(`${kind} ${key.PK} ${key.SK}: ${message}`),
    });
    return found;
  }
}

type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Turns {
  readonly newest: Turn;
  readonly release: Turn;
}
