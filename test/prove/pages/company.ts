import type { AppointmentSlot } from '../../../lib/entities/appointments.ts';
import type { Proposal } from '../../../lib/entities/proposals.ts';
import type { Contact } from '../../../lib/entities/contacts.ts';
import type { Invoice } from '../../../lib/entities/invoices.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importCompany } from '../../../infra/cli/company-file/import.ts';
import { parseCompanyFiles } from '../../../infra/cli/company-file/parse.ts';
import { connectStandIn } from '../../../infra/local/stripe/connect-demo.ts';
import type { Stack } from '../../../infra/local/stack.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import { readPaymentKey } from '../../../lib/secrets/held-secret.ts';
import { DAY } from '../../../lib/shared/time/time.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { listLinks } from '../../../lib/workflows/pages/revoke-links.ts';
import { findAccountLinks } from '../../../lib/store/links.ts';
import { pngPicture } from '../../support/uploads.ts';
import { callerContext } from '../../../lib/workflows/context.ts';
import { accountStore } from '../../../lib/store/store.ts';

type Answer = Readonly<Record<string, unknown>>;

const demo = join(import.meta.dirname, '../../../infra/cli/demo/company.yaml');

/** The company whose clients the proof plays: the demo company, with records as a journey needs them. */
export class Company {
  readonly baseUrl: string;
  readonly bookingLink: string;
  /** A service that clients may book, with free times at the postal code. */
  readonly service: { readonly Id: number; readonly Name: string };
  readonly zip = '23220';
  /** To which nobody comes. */
  readonly zipOutside = '99501';
  readonly #key: string;
  readonly #expired: (contact: number) => string;
  readonly #slots: AppointmentSlot[];
  #contacts = 0;

  private constructor(
    stack: Stack,
    opened: Pick<Company, 'bookingLink' | 'service'> & {
      expired: (contact: number) => string;
      slots: AppointmentSlot[];
    },
  ) {
    this.baseUrl = stack.baseUrl;
    this.#key = stack.local.ApiKey;
    this.bookingLink = opened.bookingLink;
    this.service = opened.service;
    this.#expired = opened.expired;
    this.#slots = opened.slots;
  }

  static async open(stack: Stack): Promise<Company> {
    const { AccountId: account, TableName, DynamoDBEndpoint, OrganizationId } = stack.local;
    const table = openTable({ tableName: TableName, endpoint: DynamoDBEndpoint });
    const file = parseCompanyFiles([{ name: 'company.yaml', text: readFileSync(demo, 'utf8') }]);
    const imported = await importCompany(file, { store: accountStore(table, account) });
    if (imported.kind === 'invalid') throw new Error(JSON.stringify(imported.errors));
    const { BaseUrl: baseUrl, StripeApi: stripeApi } = stack.local;
    await connectStandIn(table, { account, baseUrl, stripeApi, key: await readPaymentKey() });
    const now = new Date();
    const caller = accountCaller(account, { role: 'Owner' });
    const { booking = '' } = await listLinks(callerContext(table, caller, now), 'organization', OrganizationId);
    const then = await findAccountLinks(accountStore(table, account), new Date(now.getTime() - 183 * DAY));
    const expired = (contact: number) => then('preferences', contact, 0);
    const first = new Company(stack, { bookingLink: booking, service: { Id: 0, Name: '' }, expired, slots: [] });
    const { services, ...contact } = {
      services: await first.#call('services/all', {}),
      Id: (await first.contact()).Id,
    };
    for (const service of services['Matches'] as { Id: number; Name: string; SelfSelect: boolean }[]) {
      if (!service.SelfSelect) continue;
      const request = { ContactId: contact.Id, ServiceId: service.Id };
      const slots = (await first.#call('appointments/slotsearch', request))['Slots'] as AppointmentSlot[];
      if (slots.length > 100)
        return new Company(stack, { bookingLink: booking, service, expired, slots: slots.reverse() });
    }
    throw new Error('No service of the demo company can be booked.');
  }

  async #call(operation: string, body: object): Promise<Answer> {
    const answer = await fetch(`${this.baseUrl}/api/${operation}`, {
      method: 'POST',
      headers: { 'X-Api-Key': this.#key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${operation}: ${text}`);
    return JSON.parse(text) as Answer;
  }

  async contact(): Promise<
    Pick<Contact, 'Name' | 'Email' | 'UpdatePaymentOnFileUrl' | 'ClientUrl' | 'BookingUrl'> & { readonly Id: number }
  > {
    const Name = 'Ana María Díaz';
    const Email = `ana.${++this.#contacts}@example.com`;
    const address = { Address1: '12 Main Street', City: 'Richmond', State: 'VA', Zip: this.zip };
    const { Matches } = await this.#call('contacts/addupdate', {
      Matches: [{ OrganizationId: 1, Name, Email, ...address }],
    });
    const { Id, UpdatePaymentOnFileUrl = '', ClientUrl = '', BookingUrl = '' } = (Matches as Contact[])[0] ?? {};
    return { Id: Id ?? 0, Name, Email, UpdatePaymentOnFileUrl, ClientUrl, BookingUrl };
  }

  /** An open proposal with options, an option of lines that may be added, a deposit and tax. */
  async proposal(more: object = {}): Promise<Proposal> {
    const { Id: ContactId } = await this.contact();
    const made = (await this.#call('proposal/create', {
      ContactId,
      ServiceName: this.service.Name,
      Title: 'New beds in front of the house',
      CustomerNotes: 'We begin on a dry day. Please keep the driveway free.',
      Status: 'Open',
      DepositRequired: true,
      DepositRate: 25,
      ProposalLines: [
        { LineDescription: 'Remove the old beds', Quantity: 1, UnitPrice: 180 },
        {
          LineDescription: 'Perennials, 40 plants',
          Quantity: 40,
          UnitPrice: 9.5,
          ProposalOption: { Name: 'Good', Selected: true },
        },
        {
          LineDescription: 'Perennials and shrubs, 60 plants',
          Quantity: 60,
          UnitPrice: 14,
          ProposalOption: { Name: 'Best' },
        },
      ],
      ...more,
    })) as unknown as Proposal;
    const Content = pngPicture(640, 360).toString('base64');
    for (const Note of ['The front of the house', 'Best'])
      await this.#call('proposal/upload', {
        upload: { ProposalId: made.Id, Note },
        files: [{ Filename: `${Note}.png`, ContentType: 'image/png', Content }],
      });
    return made;
  }

  /** A proposal that the office took back, and one of the same service in its place where it is `replaced`. */
  async endedProposal(isReplaced: boolean): Promise<Proposal> {
    const ended = await this.proposal();
    await this.#call('proposal/update', { Id: ended.Id, Status: 'Expired' });
    if (isReplaced) await this.proposal({ ContactId: ended.ContactId });
    return ended;
  }

  async sign(ProposalId: number): Promise<void> {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M5 40 L90 3"/></svg>';
    const SignatureData = `data:image/svg+xml;base64,${btoa(drawing)}`;
    await this.#call('proposal/accept', { ProposalId, Name: 'Ana María Díaz', SignatureData });
  }

  details = async (Id: number): Promise<Proposal> =>
    (await this.#call('proposal/details', { Id })) as unknown as Proposal;

  async invoice(more: object = {}): Promise<Invoice> {
    const { Id: ContactId } = await this.contact();
    const { Invoice: invoice } = await this.#call('invoice/import', {
      Invoice: {
        ContactId,
        TaxRate: 6,
        RateName: 'Virginia',
        Terms: 'Pay within 30 days.',
        CustomerNotes: 'Thank you for your trust.',
        Lines: [
          { Description: 'Gutters, both sides of the house', Rate: 240, Qty: 1, Taxable: true },
          { Description: 'Downspouts', Rate: 18.5, Qty: 6, Taxable: true },
        ],
        ...more,
      },
    });
    return invoice as Invoice;
  }

  /** An invoice of which the office has recorded a payment. */
  async paidInvoice(Amount: number): Promise<Invoice> {
    const invoice = await this.invoice();
    await this.#call('payment/import', { Payment: { InvoiceId: invoice.Id, Amount, Method: 'Check' } });
    return invoice;
  }

  async voidedInvoice(): Promise<Invoice> {
    const invoice = await this.invoice();
    await this.#call('invoice/import', { Invoice: { Id: invoice.Id, Status: 'Voided' } });
    return invoice;
  }

  /** A visit that is ahead. */
  async visit(more: object = {}): Promise<AppointmentSlot> {
    const slot = this.#slots.shift();
    const { Id: ContactId } = await this.contact();
    const { DateTime, ServiceAgentId } = slot ?? {};
    const Slots = [{ DateTime, ServiceAgentId }];
    const request = { ContactId, ServiceId: this.service.Id, Slots, SkipConflictChecks: true, ...more };
    return ((await this.#call('appointments/book', request))['Slots'] as AppointmentSlot[])[0] as AppointmentSlot;
  }

  /** A visit that waits to be confirmed. */
  async tentativeVisit(): Promise<AppointmentSlot> {
    const { Id: ContactId } = await this.contact();
    const { AppointmentId } = await this.#call('appointments/quickbook', {
      ContactId,
      Service: this.service.Name,
      FirstAvailable: true,
      Tentative: true,
    });
    return this.#visitOf(Number(AppointmentId));
  }

  /** A visit whose agent arrives in so many milliseconds, or has arrived. */
  async startedVisit(after: number): Promise<AppointmentSlot> {
    const { AppointmentId, ServiceAgentId } = await this.visit();
    const ActualStart = new Date(Date.now() + after).toISOString();
    await this.#call('appointments/update', {
      AppointmentId,
      Slots: [{ ServiceAgentId }],
      UpdateActuals: true,
      ActualStart,
    });
    return this.#visitOf(AppointmentId);
  }

  /** A visit that is finished, for feedback. */
  async finishedVisit(): Promise<AppointmentSlot> {
    const { AppointmentId, ServiceAgentId } = await this.visit();
    const start = new Date(Date.now() - DAY).toISOString();
    const finish = new Date(Date.now() - DAY / 2).toISOString();
    const request = {
      AppointmentId,
      Slots: [{ ServiceAgentId }],
      UpdateActuals: true,
      ActualStart: start,
      ActualFinish: finish,
    };
    return ((await this.#call('appointments/update', request))['Slots'] as AppointmentSlot[])[0] as AppointmentSlot;
  }

  async #visitOf(AppointmentId: number): Promise<AppointmentSlot> {
    const { Slots } = await this.#call('appointments/find', { AppointmentId, IncludeCompleted: true });
    return (Slots as AppointmentSlot[])[0] as AppointmentSlot;
  }

  statusOf = async (AppointmentId: number): Promise<number> => (await this.#visitOf(AppointmentId)).Status ?? -1;

  /** The link of a contact's preferences as it was half a year ago. */
  async expiredLink(): Promise<string> {
    return this.#expired((await this.contact()).Id);
  }

  async contactOf(EmailSearch: string): Promise<Record<string, unknown> | undefined> {
    return ((await this.#call('contacts/locate', { EmailSearch }))['Matches'] as Record<string, unknown>[])[0];
  }
}
