import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resources } from '../../infra/resources.ts';
import { type Resource, emptyOf } from '../../lib/resources/fields.ts';
import { type ContractField, contractResources, listsResult, ownFields } from '../support/documents/contract.ts';
import { outputsOf } from '../support/random/outputs.ts';
import { kindOf } from '../support/documents/schemas.ts';

const byTitle = new Map(resources.map((of) => [of.title.toLowerCase(), of]));
const byName = (title: string): Resource => {
  const found = byTitle.get(title.toLowerCase());
  if (!found) throw new Error(`no resource ${title}`);
  return found;
};

const scalars: Record<string, string> = {
  int32: 'int32',
  Int32: 'int32',
  decimal: 'number',
  double: 'number',
  boolean: 'boolean',
  string: 'string',
  String: 'string',
  datetime: 'string',
  DateTime: 'string',
  invoicestatus: 'string',
  invoicetype: 'string',
  brandingrevenuecategorymaximumperiod: 'string',
  'dictionary`2': 'dictionary',
};

/**
 * The kinds that may stand for a type of the contract; a resource may be its detailed variant where the resource around
 * it is.
 */
function kindsFor(type: string, ending = ''): string[] {
  if (type.endsWith('[]')) return kindsFor(type.slice(0, -2), ending).map((kind) => `${kind}[]`);
  if (type === 'object') return [`any${ending}`, `eventpayload${ending}`];
  if (scalars[type]) return [scalars[type] + ending];
  return [type, `${type}detailed`, `${type}attached`].map((title) => title.toLowerCase() + ending);
}

/** A value without what "not given" may mean in the objects inside it, which a request may drop. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== undefined && each !== '' && each !== 0);
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutBlanks(each)]));
}

const isNested = (type: string) => type === 'object' || contractResources.has(type);

function expectFields(of: Resource, fields: readonly ContractField[]) {
  const [output, input] = [of.output().shape, of.input().shape];
  const ofContract = Object.keys(output).filter((name) => !(output[name] as z.ZodType).meta()?.['x-extension']);
  expect(ofContract.toSorted()).toEqual(fields.map(({ name }) => name).toSorted());
  for (const { name, type, required } of fields) {
    const at = `${of.title}.${name}: ${type}`;
    const [givenValue, taken] = [output[name] as z.ZodType, input[name] as z.ZodType];
    expect(kindsFor(type), at).toContain(kindOf(givenValue).toLowerCase());
    expect(kindsFor(type), at).toContain(
      kindOf(taken)
        .toLowerCase()
        .replace(/input(\[\])?$/, '$1'),
    );
    expect(givenValue.isNullable(), `${at} is marked ${required ? 'Y' : 'N'}`).toBe(!required || isNested(type));
  }
}

describe('the resources are those of the contract', () => {
  const ours = [
    'addonpartreduced',
    'appointment',
    'appointmentfeedback',
    'assemblyitemattached',
    'channelleads',
    'monthfigures',
    'calleventdata',
    'dimension',
    'duplicatepair',
    'contactmessage',
    'messagepreview',
    'eventactor',
    'eventholiday',
    'eventpayload',
    'invoicelinereduced',
    'keyeventdata',
    'organizationeventdata',
    'organizationpostalcodes',
    'pairedcontact',
    'parteventdata',
    'partqtypricingdetailed',
    'paymentallocation',
    'paymentreduced',
    'pricingbanddetailed',
    'proposaldatelinedetailed',
    'plannedagent',
    'plannedvisit',
    'proposaleventdata',
    'serviceeventdata',
    'slothold',
    'subscriptiondatedetailed',
    'taxpart',
    'taxratepart',
    'uploadeventdata',
    'uploadfile',
    'waitingvisit',
    'webhook',
    'webhookcall',
  ];

  test('all 68 of them, the forms of some, and what the contract does not show', () => {
    expect(contractResources.size).toBe(68);
    expect([...byTitle.keys()].toSorted()).toEqual([...contractResources.keys(), ...ours].toSorted());
    expect(byTitle.size).toBe(resources.length);
  });

  test.each([...contractResources])('%s holds each field, with its type, null only where allowed', (title, listed) => {
    expectFields(byName(title), ownFields(listed));
  });

  test.each([
    ['PricingBandDetailed', 'pricingband'],
    ['PartQtyPricingDetailed', 'partqtypricing'],
    ['AssemblyItemAttached', 'assemblyitem'],
  ])('%s is the variant', (title, base) => {
    expectFields(byName(title), contractResources.get(base)?.variantFields ?? []);
  });

  const leastOfPayment = ['InvoiceId', 'Reference', 'Date', 'Amount', 'Method'];

  test.each([
    ['AddOnPartReduced', 'addonpart', ({ name }: ContractField) => name !== 'Id'],
    ['InvoiceLineReduced', 'invoiceline', ({ name }: ContractField) => name !== 'Id'],
    ['PaymentReduced', 'payment', ({ name }: ContractField) => leastOfPayment.includes(name)],
  ])('%s is the reduced form', (title, base, kept) => {
    expectFields(byName(title), contractResources.get(base)?.fields.filter(kept) ?? []);
  });

  test('ProposalDateLineDetailed has the whole part and its id, and no Internal', () => {
    const { fields = [], variantFields = [] } = contractResources.get('proposaldateline') ?? {};
    const shared = fields.filter(({ name }) => name !== 'Part' && name !== 'Internal');
    expectFields(byName('ProposalDateLineDetailed'), [...shared, ...variantFields]);
  });

  test('SubscriptionDateDetailed has the whole service', () => {
    const fields = contractResources.get('subscriptiondate')?.fields ?? [];
    const variant = fields.map((of) => (of.name === 'Service' ? { ...of, type: 'service' } : of));
    expectFields(byName('SubscriptionDateDetailed'), variant);
  });

  test('a decimal and a Quantity have at most 4 decimals, another double as many as it has', () => {
    for (const [title, { fields }] of contractResources) {
      for (const { name, type } of fields.filter((of) => of.type === 'decimal' || of.type === 'double')) {
        const { success } = byName(title)
          .input()
          .safeParse({ [name]: 0.00001 });
        expect(success, `${title}.${name}`).toBe(type === 'double' && name !== 'Quantity');
      }
    }
  });

  test('together they make one OpenAPI document, requests and responses', () => {
    const [responses, requests] = [z.registry<{ id: string }>(), z.registry<{ id: string }>()];
    for (const of of resources) {
      responses.add(of.output(), { id: of.title });
      requests.add(of.input(), { id: of.title });
    }
    const titles = resources.map(({ title }) => title).toSorted();
    expect(Object.keys(z.toJSONSchema(responses).schemas).toSorted()).toEqual(titles);
    const { schemas } = z.toJSONSchema(requests, { io: 'input' });
    expect(Object.keys(schemas).toSorted()).toEqual(titles);
    for (const title of titles) expect(schemas[title], title).toHaveProperty('additionalProperties', false);
  });
});

describe.each(resources.map((of) => [of.title, of] as const))('%s', (title, of) => {
  const fields = Object.keys(of.shape());
  const listed = contractResources.get(title.toLowerCase());
  const ownInput = (name: string, value: unknown) => of.input().safeParse({ [name]: value });

  test('has an empty form, complete and never shared, which its request accepts', () => {
    expect(of.output().safeParse(emptyOf(of))).toMatchObject({ success: true });
    expect(Object.keys(emptyOf(of))).toEqual(fields);
    expect(of.input().safeParse(emptyOf(of))).toMatchObject({ success: true });
    const another: Record<string, unknown> = emptyOf(of);
    const objects = Object.entries(emptyOf(of)).filter(([, value]) => typeof value === 'object' && value !== null);
    expect(objects.filter(([name, value]) => another[name] === value)).toEqual([]);
  });

  test('a response misses none of its fields and holds no others', () => {
    for (const missing of fields) {
      const { [missing]: _, ...rest } = emptyOf(of) as Record<string, unknown>;
      expect(of.output().safeParse(rest).success, missing).toBe(false);
    }
    expect(of.output().parse({ ...emptyOf(of), Secret: 1 })).not.toHaveProperty('Secret');
  });

  test('in a request absent, null, and the empty values of typed clients mean "not given"', () => {
    expect(of.input().parse({})).toEqual({});
    for (const name of fields) expect(ownInput(name, null), name).toEqual({ success: true, data: { [name]: null } });
    const own = listed ? ownFields(listed) : [];
    for (const { name } of own.filter(({ type }) => type !== 'string' && type !== 'object')) {
      expect(ownInput(name, ''), `${name} ""`).toEqual({ success: true, data: { [name]: undefined } });
    }
    for (const { name } of own.filter((each) => each.type === 'int32' && /(^|[a-z_])Id$/.test(each.name))) {
      expect(ownInput(name, 0), `${name} 0`).toEqual({ success: true, data: { [name]: undefined } });
    }
  });

  test('refuses a field that is not its own, and drops what typed clients send besides', () => {
    expect(ownInput('Surprise', 1).success).toBe(false);
    const besides = { ApiKey: 'secret', ResultCode: 0, Message: '' };
    const result = of.input().safeParse(besides);
    expect(result.success).toBe(Boolean(listed && listsResult(listed)));
    expect(JSON.stringify(result.data ?? {})).toBe('{}');
  });

  test('what a client has read, it may send back', () => {
    fc.assert(
      fc.property(outputsOf(of), (read) => {
        const sent = JSON.parse(JSON.stringify(of.output().parse(read))) as Record<string, unknown>;
        const taken = of.input().parse(sent) as Record<string, unknown>;
        const dropped = fields.filter((name) => taken[name] === undefined);
        expect(dropped.filter((name) => sent[name] !== '' && sent[name] !== 0)).toEqual([]);
        expect(withoutBlanks(taken)).toEqual(withoutBlanks(sent));
      }),
      { numRuns: 40, seed: 20261121 },
    );
  });
});
