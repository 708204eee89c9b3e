import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { leadNotes, leadSummary } from '../../../lib/domain/leads/notes.ts';
import { readLead, readRawLead } from '../../../lib/domain/leads/read-lead.ts';
import type { LeadForm } from '../../../lib/entities/leads.ts';
import { findLeadForm, listLeadForms, writeLeadFormRevoked } from '../../../lib/store/lead-forms.ts';
import { findLeadAddress } from '../../../lib/store/links.ts';
import { findOrganization } from '../../../lib/store/organizations/organizations.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';
import { createLeadForm } from '../../../lib/workflows/leads/create-form.ts';
import { readLeadBody } from '../../../lib/workflows/leads/read-body.ts';
import type { CliCommand } from '../command.ts';
import { requireFile } from '../input-file.ts';
import { findLeadSource, findOrganizationId } from '../named-records.ts';
import { CommandError, formatList, formatTable, print } from '../output.ts';
import type { AccountOption } from '../options.ts';
import { findBaseUrl, openAccount } from '../target.ts';
import { name, recordId, siteOrigins, webPage } from '../values.ts';

interface LeadOptions extends AccountOption {
  readonly json?: boolean;
}

interface CreateOptions extends LeadOptions {
  readonly organization: string;
  readonly name: string;
  readonly channel?: string;
  readonly campaign?: string;
  readonly site?: readonly string[];
  readonly thanks?: string;
}

/** A form as printed with `--json`. */
async function toOutput(store: StoreWriter, form: LeadForm) {
  const { Id, Name, OrganizationId, Channel, Campaign, Sites, Thanks, Received, Repeated, Spam, LastAt, RevokedAt } =
    form;
  const address = RevokedAt === undefined ? await findLeadAddress(store, Id) : undefined;
  const moment = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
  return {
    Id,
    Name,
    OrganizationId,
    Address: address ? `${findBaseUrl()}${address.path}` : null,
    ProviderKey: address?.providerKey ?? null,
    Channel,
    Campaign,
    Sites,
    Thanks,
    Received,
    Repeated,
    Spam,
    LastAt: moment(LastAt),
    RevokedAt: moment(RevokedAt),
  };
}

async function create({ json, ...options }: CreateOptions): Promise<void> {
  const { store } = await openAccount(options);
  const { channel, campaign } = await findLeadSource(store, { channel: options.channel, campaign: options.campaign });
  const input = {
    Name: options.name,
    OrganizationId: await findOrganizationId(store, options.organization),
    Channel: channel,
    Campaign: campaign,
    Sites: [...(options.site ?? [])],
    Thanks: options.thanks ?? '',
  };
  const shown = await toOutput(store, await createLeadForm(store, input, new Date()));
  const { Id, Address, ProviderKey, Sites } = shown;
  const text =
    `${formatList({ Id, Address, ProviderKey, Sites: Sites.join(', ') })}\n\n` +
    'Let the form post to the address. Google Ads and Meta also want the provider key. fs leads list shows both again.';
  print(shown, { json, text });
}

async function list({ json, ...options }: LeadOptions): Promise<void> {
  const { store } = await openAccount(options);
  const forms = await Promise.all((await listLeadForms(store)).map((form) => toOutput(store, form)));
  const rows = forms.map(({ Id, Name, OrganizationId, Received, Repeated, Spam, LastAt, RevokedAt }) => ({
    Id,
    Name,
    Organization: OrganizationId,
    Leads: Received,
    Repeated,
    Spam,
    'Last lead': LastAt,
    State: RevokedAt ? 'revoked' : 'active',
  }));
  const addresses = forms.flatMap(({ Id, Address, ProviderKey }) =>
    Address ? [`${Id}  ${Address}\n   provider key ${ProviderKey}`] : [],
  );
  const text = forms.length
    ? [formatTable(rows), addresses.join('\n')].filter(Boolean).join('\n\n')
    : 'No form has an address for leads. Make one with leads create.';
  print(forms, { json, text });
}

async function requireForm(store: StoreWriter, id: number): Promise<LeadForm> {
  const form = await findLeadForm(store, id);
  if (!form) throw new CommandError(`There is no form ${id}. fs leads list shows the forms.`);
  return form;
}

async function revoke(id: number, { json, ...options }: LeadOptions): Promise<void> {
  const { store } = await openAccount(options);
  await requireForm(store, id);
  await writeLeadFormRevoked(store, id, new Date());
  print({ Id: id, Revoked: true }, { json, text: `The address of form ${id} takes no leads any more.` });
}

interface TestOptions extends LeadOptions {
  readonly file?: string;
  readonly type: string;
}

/** A lead that anybody recognizes as a test. */
const MADE_LEAD = {
  name: 'Test Lead',
  email: 'test.lead@example.com',
  message: 'This is a test of the address for leads. Please ignore it.',
};

/** Shows how the body in a file is read, and stores nothing. */
async function show(store: StoreWriter, form: LeadForm, { file = '', type, json }: TestOptions): Promise<void> {
  requireFile(file);
  const organization = await findOrganization(store, form.OrganizationId);
  const country = organization?.Country ?? 'US';
  const body = await readLeadBody({ contentType: type, bytes: readFileSync(file) });
  const lead = body.kind === 'form' ? readLead(body.entries, country) : readRawLead(body.text, country);
  const Notes = leadNotes(form.Name, lead);
  const shown = { Contact: lead.contact, Task: leadSummary(lead), Notes };
  const notes = Notes.map(({ Title, Body }) => `${Title}\n${Body}`).join('\n\n');
  const parts = [formatList({ ...lead.contact }), `Task\n${shown.Task}`, notes, 'Nothing is stored.'];
  const text = parts.filter(Boolean).join('\n\n');
  print(shown, { json, text });
}

async function test(id: number, { json, ...options }: TestOptions): Promise<void> {
  const { store } = await openAccount(options);
  const form = await requireForm(store, id);
  if (options.file !== undefined) return show(store, form, { json, ...options } as TestOptions);
  const { Address } = await toOutput(store, form);
  if (!Address) throw new CommandError(`Form ${id} is revoked.`);
  const answer = await fetch(Address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(MADE_LEAD),
  });
  const text = await answer.text();
  if (!answer.ok) throw new CommandError(`The address answers ${answer.status}: ${text}`);
  const sentence = `The lead of ${MADE_LEAD.name} has arrived: its contact has a note, and the office a task.`;
  print(JSON.parse(text), { json, text: sentence });
}

const takesForm = (command: Command): Command => command.argument('<id>', 'id of the form', recordId);

export const commands: readonly CliCommand[] = [
  {
    words: 'leads create',
    description: 'Make an address to which a form of another site posts its leads',
    examples: [
      'npx fs leads create --organization 1 --name "Website" --site https://example.com',
      'npx fs leads create --organization 1 --name "Google Ads" --channel "Paid search"',
    ],
    takes: (command) =>
      command
        .requiredOption('--organization <name>', 'organization of the leads, by name or id')
        .requiredOption('--name <name>', 'name of the form, which its tasks and notes show', name)
        .option('--channel <name>', 'channel of new contacts')
        .option('--campaign <name>', 'campaign of new contacts')
        .option(
          '--site <origin>',
          'site whose scripts may send the form and read the answer; may be repeated',
          siteOrigins,
        )
        .option('--thanks <page>', 'page that a browser shows after the form', webPage),
    onTable: create,
  },
  { words: 'leads list', description: 'List the forms with their addresses and how many leads came', onTable: list },
  { words: 'leads revoke', description: 'End the address of a form now', takes: takesForm, onTable: revoke },
  {
    words: 'leads test',
    description: 'Send a made lead to the address of a form, or show how a body is read without storing it',
    examples: ['npx fs leads test 1', 'npx fs leads test 1 --file body.json --type application/json'],
    takes: (command) =>
      takesForm(command)
        .option('--file <file>', 'a body as a form sends it: shows how it is read')
        .option('--type <type>', 'the Content-Type of the body in the file', ''),
    onTable: test,
  },
];
