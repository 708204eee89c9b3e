import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

const contact = z.string();
const day = z.int();
const time = z.string();

const payment = z.strictObject({
  /** Days after the invoice's date. */
  after: z.int(),
  method: z.enum(['Card', 'Check', 'Cash']),
  reference: z.string().optional(),
  /** The share of the balance due, from 0 to 1; everything by default. */
  part: z.number().optional(),
  /** Refunds everything that was paid. */
  refund: z.literal(true).optional(),
});

/** In the form of invoice/import. */
const invoiceLine = z.strictObject({
  Description: z.string(),
  Rate: z.number(),
  Qty: z.number(),
  Taxable: z.boolean().optional(),
});

const partLine = z.strictObject({ part: z.string(), quantity: z.number() });

/** A visit at the first free time on a working day from `day` and `time` on, in the contact's zone. */
const visit = z.strictObject({
  service: z.string(),
  booked: day,
  day,
  time,
  quantity: z.number().optional(),
  duration: z.string().optional(),
  /**
   * Books this agent at exactly that time on a working day: the place cannot be located, so no drive can be planned.
   */
  agent: z.string().optional(),
  addOns: z.array(partLine).optional(),
  notes: z.string().optional(),
  /** The visit is the first of a series. */
  repeat: z.strictObject({ every: z.enum(['weekly', 'monthly']), interval: z.int(), count: z.int() }).optional(),
  state: z.enum(['tentative', 'queued']).optional(),
  /** How the work went, in minutes relative to the booked time. */
  done: z
    .strictObject({
      late: z.int().optional(),
      took: z.int(),
      tip: z.number().optional(),
      feedback: z.strictObject({ Score: z.int(), Note: z.string(), ContactMe: z.boolean().optional() }).optional(),
      /** Payments of the invoice that the service creates. */
      paid: z.array(payment).optional(),
    })
    .optional(),
  canceled: z.strictObject({ day, reason: z.string(), note: z.string() }).optional(),
  /** A handwritten invoice, for a service that creates none. */
  billed: z.strictObject({ lines: z.array(invoiceLine), paid: z.array(payment) }).optional(),
});

/** A proposal from a template or for a service; a draft until it is opened. */
const proposalDraft = z.strictObject({
  day,
  opened: day.optional(),
  title: z.string(),
  template: z.string().optional(),
  service: z.string().optional(),
  quantity: z.number().optional(),
  lines: z.array(partLine).optional(),
  /** The selected option. */
  option: z.string().optional(),
  /** The percentage due on acceptance. */
  deposit: z.number().optional(),
  notes: z.string().optional(),
});

const proposal = proposalDraft.extend({
  declined: z.strictObject({ day, note: z.string() }).optional(),
  accepted: z
    .strictObject({
      day,
      name: z.string(),
      /** Payments of the deposit. */
      paid: z.array(payment).optional(),
      visit: visit.optional(),
      /** Payments of the proposal's own invoice, if completing the visit creates none. */
      invoiced: z.array(payment).optional(),
      complete: z.literal(true).optional(),
      changeOrder: proposalDraft.optional(),
    })
    .optional(),
  /** Another proposal offered with this one. */
  bundle: proposalDraft.optional(),
});

const invoice = z.strictObject({
  day,
  number: z.string(),
  type: z.enum(['Standard', 'Recurring', 'Credit']).default('Standard'),
  terms: z.string().default('Due on receipt'),
  lines: z.array(invoiceLine),
  unapproved: z.literal(true).optional(),
  voided: z.strictObject({ day, note: z.string() }).optional(),
  paid: z.array(payment).optional(),
});

/** A contact that is added a second time, with another e-mail. */
const duplicate = z.strictObject({ day, email: z.string() });

const steps = z.strictObject({
  visits: z.array(visit.extend({ contact })).default([]),
  proposals: z.array(proposal.extend({ contact })).default([]),
  invoices: z.array(invoice.extend({ contact })).default([]),
  duplicates: z.array(duplicate.extend({ contact })).default([]),
});

/** Later additions come last, so that the ids of earlier records do not change. */
const activity = steps.extend({ last: steps });

export type Payment = z.infer<typeof payment>;
export type Visit = z.infer<typeof visit>;
export type Proposal = z.infer<typeof proposal>;
export type Invoice = z.infer<typeof invoice>;
export type Duplicate = z.infer<typeof duplicate>;
export type Steps = z.infer<typeof steps>;

/** What happens in the demo company, from activity.yaml. */
export const readActivity = (): z.infer<typeof activity> =>
  activity.parse(parse(readFileSync(join(import.meta.dirname, 'activity.yaml'), 'utf8')));
