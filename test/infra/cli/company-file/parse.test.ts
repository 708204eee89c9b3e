import { describe, expect, test } from 'vitest';
import { parseCompanyFiles } from '../../../../infra/cli/company-file/parse.ts';

/** Each error as an editor shows it: line:column field message. */
const errorsOf = (text: string): string[] =>
  parseCompanyFiles([{ name: 'company.yaml', text }]).errors.map(({ line, column, field, message }) =>
    `${line}:${column} ${field} ${message}`.replace(/ {2,}/g, ' '),
  );

describe('an invalid company file', () => {
  test('reports all errors at once, each with its line, column and field', () => {
    const text = [
      'company: Blue Sky',
      'taxRates:',
      '  - name: Virginia',
      '    rat: 5.3',
      '  - rate: high',
      'channels:',
      '  - name: Google',
      '    campaigns:',
      '      - name: Spring',
      '        budgets:',
      '          - { year: 2026, month: 13 }',
      'organizations:',
      '  - name: Richmond',
      '    agents:',
      '      - name: Ana',
      '        hours: [Mon-Fri 8:00-17:00, Mon from eight]',
      '      - { name: Bob, hours: { hours: Sat 9-12, fom: 2026-05-01 } }',
      'services:',
      '  - { name: Mowing, basePrice: 1.00001, schedulingMode: Weekly }',
    ];
    expect(errorsOf(text.join('\n'))).toEqual([
      '4:5 taxRates[0].rat is not a field; did you mean rate?',
      '5:5 taxRates[1].name is required',
      '5:11 taxRates[1].rate must be a finite number',
      '11:13 channels[0].campaigns[0].budgets[0].budget is required',
      '11:34 channels[0].campaigns[0].budgets[0].month must be at most 12',
      '16:37 organizations[0].agents[0].hours[1] must be like `Mon-Fri 8:00-12:00, 13:00-17:00`',
      '17:48 organizations[0].agents[1].hours.fom is not a field; did you mean from?',
      '19:32 services[0].basePrice must have at most 4 decimals',
      '19:57 services[0].schedulingMode must be one of Normal, Fixed Location, Subscription, Route Schedule, Recurring',
    ]);
  });

  const files: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'is not YAML',
      'company: [',
      [
        '1:11 company is not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]',
      ],
    ],
    ['has a field twice', 'company: A\ncompany: B', ['2:1 company repeats line 1']],
    [
      'has a tag',
      'company: !!js/function "x"',
      ['1:10 company is not valid YAML: unresolved tag: tag:yaml.org,2002:js/function'],
    ],
    ['is not a mapping', '- a', ['1:1 must be a mapping that begins with `company: <name>`']],
    [
      'has an open quote',
      'taxRates:\n  - { name: A, rat: 1 }\n  - name: "B\n  - name: C',
      [
        '2:16 taxRates[0].rat is not a field; did you mean rate?',
        '3:11 taxRates[1] is not valid YAML: missing closing "quote',
      ],
    ],
    [
      'has an open brace, a tab and a missing colon',
      'taxRates:\n  - { name: A, rate: 5\n  - name B\n    rate: 1\ncancelReasons:\n  - name: C\n\tage: 5\n  - D\n',
      [
        '3:3 taxRates[0] is not valid YAML: flow map in block collection must be sufficiently indented and end with a }',
        '3:5 taxRates[1] lacks the ": " between a field and its value, or is not indented like the lines around it',
        '7:1 cancelReasons[0] begins with a tab; indent with spaces',
      ],
    ],
    [
      'has a list twice, a field twice and text that begins with * or @',
      'parts: [{ name: A, nme: B }, A]\ntaxRates: [{ name: B, name: C }]\nparts: [{ name: *A }, { name: @B }, a]',
      [
        '1:20 parts[0].nme is not a field; did you mean name?',
        '1:30 parts[1] is the same part as parts[0]',
        '2:23 taxRates[0].name repeats line 2',
        '3:1 parts repeats line 1',
        '3:17 parts[2] begins with a *; quote the text',
        '3:31 parts[3] begins with a character that YAML reserves; quote the text',
        '3:37 parts[4] is the same part as parts[0]',
      ],
    ],
    [
      'is JSON with a missing comma',
      '{ "taxRates": [{ "name": "A", "rat": 1 }, { "name": "B" "rate": 1 }, { "name": "C", "rat": 2 }] }',
      [
        '1:31 taxRates[0].rat is not a field; did you mean rate?',
        '1:57 taxRates[1] is not valid YAML: unexpected double-quoted-scalar token',
        '1:85 taxRates[2].rat is not a field; did you mean rate?',
      ],
    ],
    [
      'begins a second document',
      'company: A\n---\ncompany: B',
      ['2:1 The file begins a second document; a company file has one: remove the ---'],
    ],
    ['has an unknown list', 'compny: A', ['1:1 compny is not a field; did you mean company?']],
    [
      'names a record twice',
      'cancelReasons: [Weather, Rain, WEATHER]',
      ['1:32 cancelReasons[2] is the same cancel reason as cancelReasons[0]'],
    ],
    ['has a text for a list', 'parts: seed', ['1:8 parts must be a list']],
    [
      'has invalid fields and names records twice',
      'taxRates: [{ name: A, rate: 5 }, { name: A, rate: 6 }, { name: B, rat: 1 }]\ncancelReasons: [Rain, Sun, rain]',
      [
        '1:34 taxRates[1] is the same tax rate as taxRates[0]',
        '1:67 taxRates[2].rat is not a field; did you mean rate?',
        '2:28 cancelReasons[2] is the same cancel reason as cancelReasons[0]',
      ],
    ],
  ];
  test.each(files)('that %s is refused', (_, text, errors) => {
    expect(errorsOf(text)).toEqual(errors);
  });

  test('with aliases that expand without end is refused', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefghi'
        .split('')
        .map(
          (name, index) =>
            `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefghi'[index]}`).join(', ')}]`,
        ),
    ];
    expect(errorsOf(bomb.join('\n'))).toEqual([expect.stringContaining('alias')]);
  });
});

test('several files are one company, whose rows and fields do not contradict each other', () => {
  const files = [
    { name: 'a.yaml', text: 'company: A\ncancelReasons: [Rain, Sun]' },
    { name: 'b.yaml', text: 'company: B\ncancelReasons: [Snow, rain]\nparts: [{ name: A, nme: B }]' },
    { name: 'c.yaml', text: 'company: A\nparts: [A, B]' },
  ];
  const { errors, account, entries } = parseCompanyFiles(files);
  expect(errors.map(({ file, line, field, message }) => `${file}:${line} ${field} ${message}`)).toEqual([
    'b.yaml:1 company contradicts a.yaml',
    'b.yaml:2 cancelReasons[1] is the same cancel reason as cancelReasons[0] of a.yaml',
    'b.yaml:3 parts[0].nme is not a field; did you mean name?',
    'c.yaml:2 parts[0] is the same part as parts[0] of b.yaml',
  ]);
  expect([account.company, ...entries]).toEqual([
    'A',
    ['cancelReasons', [{ name: 'Rain' }, { name: 'Sun' }, { name: 'Snow' }]],
    ['parts', [{ name: 'B' }]],
  ]);
});

test('a postal code that begins with 0 stays text, and a name may be a number', () => {
  const text =
    'organizations:\n  - name: 1886\n    startAddress: { zip: 02134 }\n    postalCodes: [02134, 23220]\nparts: [7]';
  const { errors, entries } = parseCompanyFiles([{ name: 'company.yaml', text }]);
  expect([errors, ...entries]).toEqual([
    [],
    ['organizations', [{ name: '1886', startAddress: { zip: '02134' }, postalCodes: '02134, 23220' }]],
    ['parts', [{ name: '7' }]],
  ]);
});
