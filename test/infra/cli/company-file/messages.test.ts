import { beforeAll, describe, expect, test } from 'vitest';
import { exportCompany } from '../../../../infra/cli/company-file/export.ts';
import { importCompany } from '../../../../infra/cli/company-file/import.ts';
import { parseCompanyFiles } from '../../../../infra/cli/company-file/parse.ts';
import { parseYaml } from '../../../../infra/cli/company-file/yaml-document.ts';
import { findMessageSettings, findStoredMessageSettings } from '../../../../lib/store/message-settings.ts';
import { accountStore } from '../../../../lib/store/store.ts';
import { importTool } from '../../../support/import-runs.ts';
import { type TestAccount, testAccount, testTable } from '../../../support/stack/stack.ts';

const { fileOf, fs, run, undo } = importTool();

const parsed = (text: string) => parseCompanyFiles([{ name: 'company.yaml', text }]);
const errorsIn = (text: string): string[] =>
  parsed(text).errors.map(({ line, column, field, message }) => `${line}:${column} ${field} ${message}`);
const storeOf = ({ accountId }: TestAccount) => accountStore(testTable(), accountId);
const importText = (account: TestAccount, text: string, dryRun = false) =>
  importCompany(parsed(text), { store: storeOf(account), dryRun });
const exported = (account: TestAccount) => exportCompany({ store: storeOf(account), now: new Date() });

const OWN = `
messages:
  on: on
  senderName: Evergreen
  replyTo: office@example.com
  notify: [grace@example.com, frank@example.com]
  delaySeconds: 30
  language: ES
  taskWithoutAddress: true
  reminder: { channels: [email, Text], hours: [2, 48, 2], texts: { en: { subject: Soon }, es: { text: Pronto } } }
  howWasIt: { hours: 4 }
  invoiceOverdue: { days: 14 }
  visitMoved: off
  onTheWay: on
organizations:
  - name: Richmond
    messages: { on: false, senderName: '', notify: [], reminder: { channels: [text] }, visitMoved: { channels: email } }
`;

let own: TestAccount;
beforeAll(async () => {
  own = await testAccount();
  await importText(own, OWN);
});

describe('messages of a company file', () => {
  test('apply to the account, and in their place to an organization', async () => {
    const whole = await findMessageSettings(storeOf(own), 999);
    expect(whole).toMatchObject({
      isOn: true,
      senderName: 'Evergreen',
      replyTo: 'office@example.com',
      notify: ['grace@example.com', 'frank@example.com'],
      delaySeconds: 30,
      language: 'es',
      taskWithoutAddress: true,
      kinds: {
        Reminder: {
          channels: ['Email', 'Text'],
          hours: [48, 2],
          texts: { en: { subject: 'Soon' }, es: { text: 'Pronto' } },
        },
        HowWasIt: { hours: [4] },
        InvoiceOverdue: { days: 14 },
        VisitMoved: { channels: [] },
        OnTheWay: { channels: ['Text'] },
      },
    });
    expect(Math.abs(whole.since - Date.now())).toBeLessThan(300_000);
    expect(await findMessageSettings(storeOf(own), own.organizationId)).toMatchObject({
      isOn: false,
      senderName: '',
      replyTo: 'office@example.com',
      notify: [],
      kinds: {
        Reminder: { channels: ['Text'], hours: [48, 2], texts: { en: { subject: 'Soon' } } },
        VisitMoved: { channels: ['Email'] },
      },
    });
  });

  test('are exported, and an import of that changes nothing, also in another account', async () => {
    const text = await exported(own);
    expect(text).toContain(`
messages:
  on: true
  senderName: Evergreen
  replyTo: office@example.com
  notify: [ grace@example.com, frank@example.com ]
  delaySeconds: 30
  language: es
  taskWithoutAddress: true
  visitMoved: false
  reminder:
    channels: [ email, text ]
    hours: [ 48, 2 ]
    texts:
      en: { subject: Soon }
      es: { text: Pronto }
`);
    const again = await importText(own, text);
    expect(again.kind === 'imported' && again.results.map(({ Change }) => Change)).toEqual(
      again.kind === 'imported' && again.results.map(() => 'unchanged'),
    );
    const other = await testAccount({ name: 'Another', organizationName: 'Elsewhere' });
    expect(await importText(other, text)).toMatchObject({ kind: 'imported' });
    expect(await exported(other)).toBe(text);
  });

  test('report each change, keep what the file leaves out, and null restores the default', async () => {
    const account = await testAccount();
    expect(await exported(account)).not.toContain('messages');
    await importText(account, 'messages: { on: true, delaySeconds: 5, reminder: { hours: 48 } }');
    expect(await importText(account, 'messages: { delaySeconds: 0, reminder: null, invoice: off }')).toMatchObject({
      results: [
        {
          Section: 'messages',
          Change: 'updated',
          Fields: [
            { Field: 'delaySeconds', Before: 5, After: 0 },
            { Field: 'reminder', Before: { hours: [48] } },
            { Field: 'invoice', After: false },
          ],
        },
      ],
    });
    expect(await findMessageSettings(storeOf(account), 1)).toMatchObject({
      isOn: true,
      delaySeconds: 0,
      kinds: { Reminder: { hours: [24] }, Invoice: { channels: [] } },
    });
    expect(await importText(account, 'messages: null')).toMatchObject({ results: [{ Change: 'updated' }] });
    expect(await exported(account)).not.toContain('messages');
    expect(await importText(account, 'messages: {}')).toMatchObject({ results: [{ Change: 'unchanged' }] });
  });

  test('are stored by no dry run, and when messages were first turned on stays', async () => {
    const account = await testAccount();
    const stored = () => findStoredMessageSettings(storeOf(account), 0, { consistent: true });
    expect(await importText(account, 'messages: { on: true }', true)).toMatchObject({
      results: [{ Change: 'updated' }],
    });
    expect(await stored()).toBeUndefined();
    await importText(account, 'messages: { on: true }');
    const { Since } = (await stored()) ?? {};
    expect(Since).toBeGreaterThan(0);
    await importText(account, 'messages: { on: false }');
    await importText(account, 'messages: { on: true }');
    expect(await stored()).toEqual({ OrganizationId: 0, On: true, Since });
  });

  test('are restored key by key by the undo of their import', async () => {
    const account = await testAccount();
    await fs(
      account,
      fileOf('right.yaml', 'messages: { on: true, reminder: { hours: [48] } }\norganizations: [{ name: Richmond }]'),
    );
    const before = await exported(account);
    const wrong = `messages: { senderName: Wrong, reminder: { channels: [text] }, invoice: off }
organizations: [{ name: Richmond, messages: { on: false, delaySeconds: 7 } }]
`;
    const { Run } = await fs<{ Run: number }>(account, fileOf('wrong.yaml', wrong));
    expect(await exported(account)).not.toBe(before);
    await fs(account, fileOf('since.yaml', 'messages: { language: es }'));
    expect(await undo(account, Run)).toMatchObject({ Restored: { account: 1, organization: 1 }, Left: [] });
    expect(await exported(account)).toBe(before.replace('\n  reminder:', '\n  language: es\n  reminder:'));
  });
});

describe('invalid messages of a company file', () => {
  test.each([
    ['{ on: maybe }', '1:17 messages.on must be true or false'],
    ['{ senderNam: X }', '1:13 messages.senderNam is not a field; did you mean senderName?'],
    ['{ senderName: "A\\nB" }', '1:25 messages.senderName must be one line'],
    ['{ replyTo: nobody }', '1:22 messages.replyTo must be an e-mail address'],
    ['{ notify: [a@example.com, b] }', '1:37 messages.notify[1] must be an e-mail address'],
    ['{ delaySeconds: 3601 }', '1:27 messages.delaySeconds must be a whole number of seconds from 0 to 3,600'],
    ['{ language: fr }', '1:23 messages.language must be en or es'],
    ['{ remindr: off }', '1:13 messages.remindr is not a field; did you mean reminder?'],
    ['{ reminder: never }', '1:23 messages.reminder must be on, off or a mapping: `channels: …`'],
    ['{ reminder: { hours: 0 } }', '1:32 messages.reminder.hours must be a whole number of hours from 1 to 720'],
    ['{ reminder: { hours: [721] } }', '1:33 messages.reminder.hours[0] must be a whole number of hours from 1 to 720'],
    ['{ reminder: { hours: [1, 2, 3, 4, 5, 6] } }', '1:32 messages.reminder.hours must have at most 5 elements'],
    ['{ howWasIt: { hours: [1, 2] } }', '1:32 messages.howWasIt.hours must have at most 1 element'],
    ['{ visitMoved: { hours: 2 } }', '1:27 messages.visitMoved.hours is not a field'],
    ['{ invoiceDue: { days: 0 } }', '1:33 messages.invoiceDue.days must be a whole number of days from 1 to 365'],
    ['{ reminder: { channels: [post] } }', '1:36 messages.reminder.channels[0] must be email or text'],
    ['{ onTheWay: { channels: [email] } }', '1:36 messages.onTheWay.channels[0] must be text'],
    ['{ office: { channels: text } }', '1:33 messages.office.channels must be email'],
    ['{ onTheWay: { texts: { en: { body: Hi } } } }', '1:40 messages.onTheWay.texts.en.body is not a field'],
    ['{ invoice: { texts: { de: { body: Hi } } } }', '1:33 messages.invoice.texts.de is not a field'],
  ])('%s are refused: %s', (text, error) => {
    expect(errorsIn(`messages: ${text}`)).toEqual([error]);
  });

  test('of an organization leave its other fields valid', () => {
    const file = parsed('organizations: [{ name: Richmond, phone: 804, messages: { replyTo: nobody } }]');
    expect(file.errors).toMatchObject([
      { line: 1, column: 68, field: 'organizations[0].messages.replyTo', message: 'must be an e-mail address' },
    ]);
    expect(file.entries.get('organizations')).toMatchObject([{ name: 'Richmond' }]);
  });

  test('have the place of an unknown field in an own text, with the nearest name', () => {
    const [error = ''] = errorsIn('messages:\n  reminder: { texts: { es: { subject: "Hola {{visit.dat}}" } } }');
    expect(error).toMatch(/^2:4\d messages\.reminder\.texts\.es\.subject .*visit\.date/);
  });

  test.each([
    ['a plain text', 'a: Hello {{x}}\n', 1, 7, '1:10'],
    ['a quoted text', 'a: "Hello {{x}}"\n', 1, 7, '1:11'],
    ['a block', 'a: |\n  Hello\n\n  dear {{x}}\n', 3, 6, '4:8'],
    ['a block without its last line end', 'b: 1\na: |-\n    Hello {{x}}', 1, 7, '3:11'],
    ['a folded text, at its beginning', 'a: >\n  Hello\n  dear {{x}}\n', 1, 12, '1:4'],
    ['a text of several lines, at its beginning', 'a: Hello\n  dear {{x}}\n', 1, 12, '1:4'],
  ])('have the place in the file of an error in %s', (_, text, line, column, place) => {
    const error = parseYaml(text, 'a.yaml').errorAt(['a'], 'is wrong', { within: { line, column } });
    expect(`${error.line}:${error.column}`).toBe(place);
  });
});

describe('fs messages settings', () => {
  const shown = ({ accountId }: TestAccount, ...words: string[]) =>
    run('messages', 'settings', '--account', accountId, ...words);

  test('shows what applies to the only organization, and where each value comes from', async () => {
    const { code, stdout } = await shown(own, '--json');
    expect(code).toBe(0);
    const { OrganizationId, Since, Settings } = JSON.parse(stdout) as Record<string, unknown>;
    expect([OrganizationId, Since]).toEqual([own.organizationId, null]);
    expect(Settings).toEqual(
      expect.arrayContaining([
        { Setting: 'on', Value: false, From: 'organization' },
        { Setting: 'replyTo', Value: 'office@example.com', From: 'account' },
        { Setting: 'reminder.hours', Value: [48, 2], From: 'account' },
        { Setting: 'reminder.channels', Value: ['text'], From: 'organization' },
        { Setting: 'invoiceDue.days', Value: 3, From: 'default' },
      ]),
    );
  });

  test('says it as a table, and refuses an organization that does not exist', async () => {
    const { stdout } = await shown(own, '--organization', String(own.organizationId));
    expect(stdout).toMatch(/^Messages are off for organization 1, Richmond\. .*turns them on\.\n/);
    expect(stdout).toMatch(/^reminder\.hours +48, 2 +account$/m);
    expect(await shown(own, '--organization', '77')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Organization 77 not found.') as string,
    });
  });
});
