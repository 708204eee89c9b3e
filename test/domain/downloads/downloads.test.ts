import type { ColumnType } from '../../../lib/entities/declaration/field.ts';
import { InvoiceStatus } from '../../../lib/entities/invoices.ts';
import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { blankInvoice, invoiceToResource } from '../../../lib/domain/invoices/record.ts';
import { csvCell, csvText } from '../../../lib/domain/downloads/csv.ts';
import { NO_PAYMENTS } from '../../../lib/domain/client-pages.ts';
import { type Row, rowEncoder } from '../../../lib/domain/downloads/columns.ts';
import { DOWNLOAD_KINDS, attributesOf, downloadColumns } from '../../../lib/domain/downloads/kind.ts';
import { downloadKinds } from '../../../lib/domain/downloads/kinds.ts';
import { anyCharacter } from '../../support/random/characters.ts';

describe('a cell of CSV', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1 217 555 0143', "'+1 217 555 0143"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    ['  =1', "'  =1"],
    ['\u00A0=1', "'\u00A0=1"],
    ['\u200B=1', "'\u200B=1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠A1', "'＠A1"],
    ['a=1', 'a=1'],
    ['José', 'José'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\r\nb', '"a\r\nb"'],
    ['a;=1', '"a;=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['', ''],
  ])('%j is %j: no text is run as a formula', (text, cell) => expect(csvText(text)).toBe(cell));

  test('numbers stay numbers, below zero too; nothing is an empty cell', () => {
    expect([-5.25, 0, 1e-7, true, false, null, undefined].map(csvCell)).toEqual([
      '-5.25',
      '0',
      '1e-7',
      'true',
      'false',
      '',
      '',
    ]);
  });

  test('any texts are read back by an independent parser, and none begins as a formula does', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 2, maxLength: 5 }), (texts) => {
        const [row = []] = parse(`${texts.map(csvText).join(',')}\r\n`, { relaxColumnCount: true }) as string[][];
        expect(row.map((cell, index) => (cell === texts[index] ? cell : cell.slice(1)))).toEqual(texts);
        for (const cell of row) expect(cell).not.toMatch(/^[\s]*[=+\-@＝＋－＠]/);
      }),
      { numRuns: 200 },
    );
  });
});

test('a line of JSONL has any values as JSON has them, and moments in UTC', () => {
  const names = ['plain', 'with "quotes"', 'at'];
  const columns = names.map((name) => ({ name, type: name === 'at' ? 'moment' : 'any', about: '', field: name }));
  const valueOf = (name: string) => (row: Row<unknown>) => (row.item as Record<string, unknown>)[name];
  const encoder = rowEncoder(
    columns.map((each) => ({ ...each, type: each.type as ColumnType, value: valueOf(each.name) })),
    'jsonl',
  );
  const row = { organization: undefined, contact: undefined, takesPayments: NO_PAYMENTS, position: undefined, now: 0 };
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.jsonValue()), fc.integer({ min: 1 }), (value, at) => {
      const line = encoder.encode({ ...row, item: { plain: value, 'with "quotes"': undefined, at } });
      const expected = { plain: value, 'with "quotes"': null, at: new Date(at).toISOString().replace(/\.\d+/, '') };
      expect([line.at(-1), line.indexOf('\n')]).toEqual(['\n', line.length - 1]);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
    { numRuns: 200 },
  );
});

test('the same data makes the same text, whatever the order of names in which the table returned them', () => {
  const column = { name: 'Lines', type: 'list' as const, about: '', value: ({ item }: Row<unknown>) => item };
  const row = { organization: undefined, contact: undefined, takesPayments: NO_PAYMENTS, position: undefined, now: 0 };
  const [one, other] = [[{ Id: 1, Of: { B: [2], A: null } }], [{ Of: { A: null, B: [2] }, Id: 1 }]];
  for (const format of ['csv', 'jsonl'] as const) {
    const encoder = rowEncoder([column], format);
    expect(encoder.encode({ ...row, item: one })).toBe(encoder.encode({ ...row, item: other }));
  }
});

test('an invoice says in a download whether the client may pay it, as invoice/get does', async () => {
  const { columns } = downloadKinds.invoices;
  const column = columns.find(({ name }) => name === 'CanAcceptClientPayment');
  const open = blankInvoice({ Id: 1, OrganizationId: 7, ContactId: 1, Number: '1', Zone: 'UTC', Created: 0 });
  const due = { ...open, Status: InvoiceStatus.Open, BalanceDue: 10, CanAcceptClientPayment: true };
  const rows = [
    [due, true, true],
    [due, false, false],
    [{ ...due, Status: InvoiceStatus.Paid, BalanceDue: 0 }, true, false],
    [{ ...due, Status: InvoiceStatus.Voided }, true, false],
    [{ ...due, CanAcceptClientPayment: false }, true, false],
  ] as const;
  for (const [item, isConnected, expected] of rows) {
    const takesPayments = () => isConnected;
    const row = { organization: undefined, contact: undefined, takesPayments, position: undefined, now: 0, item };
    const resource = invoiceToResource(item, { contact: null, associated: false, link: () => '', takesPayments });
    expect([column?.value(row as never), resource.CanAcceptClientPayment]).toEqual([expected, expected]);
  }
});

const filter = { spans: {}, settings: {}, organizationId: null, agentId: null };

describe.each(DOWNLOAD_KINDS)('the declaration of %s', async (kind) => {
  const definition = downloadKinds[kind];
  const all = new Set(definition.columns.flatMap(({ option }) => option ?? []));
  const everything = { ...filter, settings: Object.fromEntries([...all].map((option) => [option, true])) };

  test('names every column once, and begins with the Id that RowId counts', () => {
    const names = definition.columns.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names[0]).toBe('Id');
  });

  test('reads every attribute that a column or filter uses, and no other', () => {
    if (definition.source === 'Channel') return;
    const read = new Set<string>();
    const record: object = new Proxy(
      {
        Lines: [{ Extended: 0, Tax: null }],
        TaxRate: 0,
        Forecasts: [{}],
        Tags: [],
        AdditionalAgents: [],
        Options: [],
        TaxParts: [],
        AssociatedAppointmentIds: [],
      },
      {
        get(target: Record<string, unknown>, name: string) {
          read.add(name);
          if (name === 'Book') return { Parts: [] };
          if (name === 'CustomProperties') return {};
          if (name === 'Zone') return 'UTC';
          if (name === 'Terms') return 'Net 30';
          if (name === 'Date' && kind === 'proposals') return '2026-03-08';
          if (/^(Limited|PricingBands|QtyPricing|AssemblyItems)/.test(name)) return [];
          return target[name] ?? (/Id$|^(Status|Subtotal|Tax|Total)$/.test(name) ? 0 : null);
        },
        ownKeys: () => [],
      },
    );
    for (const moment of Object.values(definition.moments)) moment(record);
    definition.calendarDate?.(record);
    definition.selects?.(record, { ...everything, agentId: 1 }, 0);
    definition.organizationOf(record);
    definition.contactIdOf?.(record);
    const row = {
      organization: undefined,
      contact: undefined,
      takesPayments: NO_PAYMENTS,
      position: undefined,
      now: 0,
    };
    for (const item of definition.items(record, everything))
      for (const column of definition.columns) column.value({ ...row, item });
    for (const item of definition.items(record, everything))
      definition.custom?.value({ ...row, item }, { Id: 1 } as never);
    if (definition.custom) read.add(kind === 'appointments' ? 'CustomProperties' : 'CustomFields');
    const declared = attributesOf(definition, {
      ...everything,
      settings: { ...everything.settings, IncludeCustomFields: true },
    });
    const unused = declared.filter((name) => !read.has(name) && name !== 'Id' && name !== 'OrganizationId');
    expect([[...read].filter((name) => !declared.includes(name)), unused]).toEqual([[], []]);
  });

  test('has a header of as many names as a row has cells, and columns of settings only with them', () => {
    const encoder = rowEncoder(downloadColumns(definition, filter, []), 'csv');
    const names = encoder.header.trim().split(',');
    expect(names).toEqual(definition.columns.filter(({ option }) => !option).map(({ name }) => name));
  });
});
