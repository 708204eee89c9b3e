import type { Fields } from '../../lib/entities/declaration/field.ts';
import { expect, test } from 'vitest';
import { recordColumns } from '../../lib/domain/downloads/columns.ts';
import { appointmentEntity } from '../../lib/entities/appointments.ts';
import { entity } from '../../lib/entities/declaration/entity.ts';
import { decimal, flag, id, moment, text } from '../../lib/entities/declaration/fields.ts';
import { invoiceEntity } from '../../lib/entities/invoices.ts';
import { identityNames, inputNames, secretNames, withoutSecrets } from '../../lib/entities/declaration/marks.ts';
import { paymentEntity } from '../../lib/entities/payments.ts';
import { proposalEntity } from '../../lib/entities/proposals.ts';
import { taskEntity } from '../../lib/entities/tasks.ts';
import { uploadEntity } from '../../lib/entities/uploads.ts';

const pet = entity('Pet', {
  Id: id({ download: true }),
  Name: text({ input: true, download: true, personal: 'identity' }),
  IsTame: flag({ input: true }),
  OwnerId: id({ nullable: true, input: true }),
  Fee: decimal({ download: 'Price', about: 'a year' }),
  Chip: text({ secret: true }),
  SeenAt: moment({ nullable: true, event: true }),
});

test('what callers set, who a person is and what is secret follow from the declaration', () => {
  expect(inputNames(pet.fields)).toEqual({ texts: ['Name'], flags: ['IsTame'], ids: ['OwnerId'] });
  expect([identityNames(pet.fields), secretNames(pet.fields)]).toEqual([['Name'], ['Chip']]);
  expect(withoutSecrets(pet.fields)).toEqual({ Chip: '' });
});

test('events have the fields of the declaration in the form of a resource', () => {
  expect(pet.eventFields(pet.blank({ Id: 1, SeenAt: 0 }))).toEqual({ SeenAt: '1970-01-01T00:00:00Z' });
});

test('a declared field that has no place among the columns is the last one, before those of settings', () => {
  const kind = { name: 'Kind', type: 'text', about: '', option: 'IncludeKind', value: () => 'pet' } as const;
  const { columns, attributes } = recordColumns(pet, ['Name'], { reads: ['OwnerId'], options: [kind] });
  expect(columns.map(({ name, type, about }) => [name, type, about])).toEqual([
    ['Name', 'text', ''],
    ['Id', 'integer', ''],
    ['Price', 'decimal', 'a year'],
    ['Kind', 'text', ''],
  ]);
  expect(attributes).toEqual(['Name', 'Id', 'Fee', 'OwnerId']);
});

/** Texts that nobody writes about a person: chosen from lists, computed, or of the company's people. */
const impersonal: Readonly<Record<string, string>> = {
  Task: 'Day Zone Category AssignedTo CompletedBy',
  Appointment:
    'HashKey Zone ServiceAgentName AdditionalAgents.Name BilledRateName BilledTaxParts.Name ' +
    'BilledTaxParts.RegistrationNumber CancelReason CanceledBy SeriesRule QueueDate',
  Proposal:
    'Zone Date NamedTaxRate.Name NamedTaxRate.Parts.Name NamedTaxRate.Parts.RegistrationNumber ChangeOrders.ServiceName ChangeOrders.Date BundledProposals.ServiceName ' +
    'BundledProposals.Date EvidenceSha256',
  Invoice: 'Number Zone Day RateName TaxParts.Name TaxParts.RegistrationNumber Fingerprint',
  Payment: 'InvoiceNumber TransactionId Day Zone',
  Upload: 'ContentType Handle Secret Queue',
};

function unmarkedTexts(fields: Fields, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, { stored, options, fields: inner }]) => {
    if (options.personal || name === 'Book') return [];
    if (inner) return unmarkedTexts(inner, `${path}${name}.`);
    return stored === 'string' ? [`${path}${name}`] : [];
  });
}

test.each([taskEntity, appointmentEntity, proposalEntity, invoiceEntity, paymentEntity, uploadEntity])(
  'every text of $name says what the erasure of its person does with it',
  ({ name, fields }) => {
    expect(unmarkedTexts(fields).sort()).toEqual((impersonal[name] ?? '').split(' ').sort());
  },
);
