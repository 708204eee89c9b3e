import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readColumns } from '../../../../infra/cli/contacts-csv/columns.ts';
import { type CsvRecord, readCsv } from '../../../../infra/cli/imports/csv.ts';
import { readContactRow } from '../../../../infra/cli/contacts-csv/contact-row.ts';
import type { CustomField } from '../../../../lib/resources/custom-fields.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += size) yield characters.slice(at, at + size).join('');
}
async function read(text: string, size = text.length || 1): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const record of readCsv(inPieces(text, size))) records.push(record);
  return records;
}

describe('a CSV file', () => {
  const texts: readonly (readonly [string, string, readonly (readonly string[])[]])[] = [
    [
      'plain cells',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'lines that end with a carriage return alone',
      'a,b\r1,2\r3,4\r',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'no line end at the end',
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quoted cells with delimiters, quotes and line breaks',
      'a,b\n"x, ""y""","1\r\n2"\n',
      [
        ['a', 'b'],
        ['x, "y"', '1\r\n2'],
      ],
    ],
    [
      'empty lines and cells',
      'a,b\n\n,\n1,\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'a byte order mark',
      '\u{FEFF}a;b\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1,5\t2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    ['characters beyond the first plane', 'a\n👍🏽 ok', [['a'], ['👍🏽 ok']]],
    ['no text', '', []],
  ];
  test.each(texts)('may hold %s', async (_, text, cells) => {
    expect((await read(text)).map((record) => record.cells)).toEqual(cells);
  });

  test('reports the line on which a record begins, and why one cannot be read', async () => {
    expect(await read('a\n"1\n2"\n"3"x\n"4')).toEqual([
      { line: 1, cells: ['a'] },
      { line: 2, cells: ['1\n2'] },
      { line: 4, cells: ['"3"x'], error: 'text follows the closing quote of cell 1', broken: 0 },
      { line: 5, cells: [], error: 'a quoted cell is not closed before the end of the file' },
    ]);
  });

  test('counts a line break of two characters as one line, also in a quoted cell', async () => {
    const records = await read('\u{FEFF}"a";b\r\n\r\n"1\r\n2";"x"\r\n"3" x;4\r\n\r\n"4');
    expect(records.map(({ line, error }) => [line, error])).toEqual([
      [1, undefined],
      [3, undefined],
      [5, 'text follows the closing quote of cell 1'],
      [7, 'a quoted cell is not closed before the end of the file'],
    ]);
  });

  test('gives back what was written, in whatever pieces it is read', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '👍', 'é'), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (rows, size) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const text = ['h,i', ...rows.map((row) => row.map(quoted).join(','))].join('\r\n');
          const records = (await read(text, size)).slice(1).map(({ cells }) => cells);
          expect(records).toEqual(rows.filter((row) => row.some((each) => each !== '')));
        },
      ),
    );
  });
});

const field = (input: Partial<CustomField>): CustomField => ({
  Id: 1,
  Name: '',
  Shortcode: '',
  FormField: '',
  Value: null,
  Type: 0,
  TableType: 0,
  Phase: null,
  Required: false,
  HelpText: '',
  CustomFieldCategory: '',
  CheckboxListOptionId: null,
  CheckboxListOptionName: '',
  Options: [],
  ...input,
});
const lawn = field({ Id: 7, Name: 'Lawn area', Shortcode: 'lawn_area', Type: 1 });

describe('the columns of a contacts file', () => {
  test('are fields of a contact, their names in other programs, and custom fields', () => {
    const headers = [
      'First Name',
      'last name',
      'E-mail',
      'Phone 1',
      'phone_2',
      'Street',
      'ZIP code',
      'Opt out',
      'Tags',
      'Lawn area',
    ];
    const { columns, errors } = readColumns(headers, [lawn], { skipUnknown: false, ignoreComputed: false });
    expect(errors).toEqual([]);
    expect(columns.map((column) => column.field)).toEqual([
      'FirstName',
      'LastName',
      'Email',
      'Phone',
      'AltPhone',
      'Address1',
      'Zip',
      'Unsubscribed',
      'Tags',
      'Lawn area',
    ]);
    expect(
      readContactRow(
        columns,
        ['Ana', 'Ruiz', ' ana@example.com ', '(804) 555-0100', '', '1 Main St', '02134', 'no', 'a; b', '1200'],
        [],
      ),
    ).toEqual({
      changed: [],
      contact: {
        Name: 'Ana Ruiz',
        Email: 'ana@example.com',
        Phone: '(804) 555-0100',
        Address1: '1 Main St',
        Zip: '02134',
        Unsubscribed: false,
        Tags: ['a', 'b'],
        CustomFields: [{ Id: 7, Value: 1200 }],
      },
    });
  });

  test('that are unknown or hold the same field are reported, unless unknown ones are skipped', () => {
    const headers = ['Name', 'Customer', 'Emial', 'Shoe size'];
    expect(readColumns(headers, [], { skipUnknown: false, ignoreComputed: false }).errors).toEqual([
      'Column 3, "Emial", is not a field of a contact. Did you mean Email?',
      'Column 4, "Shoe size", is not a field of a contact.',
      'Columns 1 and 2, "Name" and "Customer", both hold Name.',
    ]);
    expect(
      readColumns(['Name', 'Shoe size'], [], { skipUnknown: true, ignoreComputed: false }).columns.map(
        ({ kind }) => kind,
      ),
    ).toEqual(['text', 'skipped']);
    expect(readColumns(['Shoe size'], [], { skipUnknown: true, ignoreComputed: false }).errors).toEqual([
      'No column is a field of a contact.',
    ]);
  });

  test('report cells that are invalid', () => {
    const { columns } = readColumns(['Id', 'Name', 'Unsubscribed', 'Organization'], [], {
      skipUnknown: false,
      ignoreComputed: false,
    });
    expect(readContactRow(columns, ['x', 'n'.repeat(201), 'maybe', 'Nowhere'], [])).toEqual({
      errors: [
        { column: 'Unsubscribed', reason: 'must be yes or no' },
        { column: 'Organization', reason: 'No organization is named "Nowhere"' },
        { column: 'Id', reason: 'must be a whole number' },
        { column: 'Name', reason: 'must be at most 200 characters' },
      ],
    });
  });
});

describe('a file that Excel or a spreadsheet wrote', () => {
  test.each([
    ['sep=;\r\nName;Email\r\nAna, R.;a@example.com\r\n', 3],
    ['\uFEFFsep=;\nName;Email\nAna, R.;a@example.com\n', 3],
  ])('names its delimiter in the first line, which is no record: %j', async (text, line) => {
    for (const size of [1, 3, text.length]) {
      const [header, row] = await read(text, size);
      expect([header?.cells, row?.cells, row?.line]).toEqual([['Name', 'Email'], ['Ana, R.', 'a@example.com'], line]);
    }
  });

  const field = { Id: 1, Name: 'Dog', Shortcode: '', TableType: 0, Type: 0 } as unknown as CustomField;
  const strict = { skipUnknown: false, ignoreComputed: false };
  const rowOf = (headers: readonly string[], cells: readonly string[], fields = [field], country = 'US') => {
    const { columns, errors } = readColumns(headers, fields, strict);
    expect(errors).toEqual([]);
    const organizations = [{ Id: 1, PublicName: 'Springfield', LocationID: '', Country: country }];
    return readContactRow(columns, cells, organizations);
  };

  test('may have columns without a name, which are no custom field, as long as they are empty', () => {
    const headers = ['Name', 'Email', '', ''];
    expect(rowOf(headers, ['Ana', 'a@example.com', '', ''])).toEqual({
      contact: { Name: 'Ana', Email: 'a@example.com' },
      changed: [],
    });
    expect(rowOf(headers, ['Ana', 'a@example.com', 'Friendly'])).toEqual({
      errors: [{ column: 'Column 3', reason: 'has no name, and "Friendly" in this line' }],
    });
  });

  test.each(['#', '$'])('has a column %s, which is neither a custom field without Shortcode nor any other', (sign) => {
    const { errors } = readColumns(['Name', sign], [field], strict);
    expect(errors).toEqual([expect.stringContaining('is not a field of a contact') as string]);
    expect(rowOf(['Name', sign], ['Ana', 'x'], [{ ...field, Name: sign }])).toMatchObject({
      contact: { CustomFields: [{ Id: 1, Value: 'x' }] },
    });
  });

  test.each([
    ['Phone', '8045550143.0', '', { Phone: '8045550143' }, []],
    ['Phone', '8.045550143E+09', '', { Phone: '8045550143' }, []],
    ['Alt phone', '8045550143.0', '', { AltPhone: '8045550143' }, []],
    ['Zip', '10001.0', 'NY', { Zip: '10001' }, []],
    ['Zip', '="02134"', 'MA', { Zip: '02134' }, []],
    ['Zip', '2134', 'MA', { Zip: '02134' }, ['"2134" is stored as 02134']],
    ['Zip', '2134', 'Massachusetts', { Zip: '02134' }, ['"2134" is stored as 02134']],
  ])('has %s %s of %j, which is stored as people mean it', (header, cell, state, expected, said) => {
    const row = rowOf(['Name', header, 'State'], ['Ana', cell, state]);
    expect(row).toMatchObject({ contact: expected });
    expect('contact' in row && row.changed.map(({ reason }) => reason)).toEqual(said);
  });

  test.each(['Phone', 'Zip'])('has a %s that was cut, and the line says so', (header) => {
    expect(rowOf(['Name', header], ['Ana', '8.04555E+09'])).toEqual({
      errors: [{ column: header, reason: expect.stringContaining('was cut by a spreadsheet') as string }],
    });
  });

  test('has postal codes of another country, which stay as they are', () => {
    expect(rowOf(['Name', 'Zip'], ['Ana', '2134'], [field], 'AU')).toEqual({
      contact: { Name: 'Ana', Zip: '2134' },
      changed: [],
    });
  });
});
