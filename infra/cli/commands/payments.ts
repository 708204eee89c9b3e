import type { Command } from 'commander';
import type { PaymentProviderRecord } from '../../../lib/entities/payments.ts';
import type { ProviderKeys } from '../../../lib/payments/provider.ts';
import {
  listPaymentProviders,
  writePaymentProvider,
  writePaymentProviderRemoval,
  WHOLE_COMPANY,
} from '../../../lib/store/payment-providers.ts';
import { findOrganization } from '../../../lib/store/organizations/organizations.ts';
import { connectedProvider, webhookPath } from '../../../lib/workflows/payments/open-provider.ts';
import type { CliCommand } from '../command.ts';
import { askSecretly } from '../confirm.ts';
import { readInput } from '../input-file.ts';
import { CommandError, formatList, formatTable, print } from '../output.ts';
import type { AccountOption } from '../options.ts';
import { findBaseUrl, openAccount, openPaymentKey } from '../target.ts';
import { recordId } from '../values.ts';

interface PaymentOptions extends AccountOption {
  readonly organization?: number;
  readonly keys?: string;
  readonly json?: boolean;
}

/** The events that Stripe must send to the webhook. */
const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.payment_failed',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;

const toOutput = (account: string, baseUrl: string, record: PaymentProviderRecord) => ({
  OrganizationId: record.OrganizationId || null,
  Provider: record.Provider,
  Mode: record.IsTest ? 'test: no money moves' : 'live',
  SecretKey: `…${record.KeyEnd}`,
  ConnectedAt: new Date(record.ConnectedAt).toISOString(),
  Webhook: `${baseUrl}${webhookPath(account, record.OrganizationId)}`,
});

/** Never read from the command line, which other users of the machine and the shell history can see. */
async function readKeys(file: string | undefined): Promise<ProviderKeys> {
  if (file === undefined) {
    if (!process.stdin.isTTY) throw new CommandError('Name a file with both keys, a line each: --keys <file>.');
    return {
      secretKey: await askSecretly('Secret or restricted key (sk_… or rk_…): '),
      webhookSecret: await askSecretly('Signing secret of the webhook (whsec_…): '),
    };
  }
  const [secretKey = '', webhookSecret = ''] = readInput(file)
    .split('\n')
    .map((line) => line.trim());
  return { secretKey, webhookSecret };
}

async function connect({ organization = WHOLE_COMPANY, keys, json, ...options }: PaymentOptions): Promise<void> {
  const { store } = await openAccount(options);
  const [key, baseUrl] = [await openPaymentKey(), findBaseUrl()];
  if (organization !== WHOLE_COMPANY && !(await findOrganization(store, organization)))
    throw new CommandError(`Organization ${organization} not found.`);
  const record = connectedProvider(await readKeys(keys), {
    account: store.account,
    organization,
    key,
    now: new Date(),
  });
  await writePaymentProvider(store, record);
  const shown = toOutput(store.account, baseUrl, record);
  const note =
    'Clients can pay on pages within a minute. Send a test event to the webhook from the dashboard of Stripe, and ' +
    'look for the answer 200 there.';
  print(shown, { json, text: `${formatList(shown)}\n\n${note}` });
}

async function show({ json, ...options }: PaymentOptions): Promise<void> {
  const { store } = await openAccount(options);
  const baseUrl = findBaseUrl();
  const rows = (await listPaymentProviders(store)).map((record) => toOutput(store.account, baseUrl, record));
  const none =
    'No payment provider is connected. Make a webhook in the dashboard of Stripe, then payments connect:\n\n' +
    `  address   ${baseUrl}${webhookPath(store.account, WHOLE_COMPANY)}\n  events    ${EVENTS.join('\n            ')}`;
  print(rows, { json, text: rows.length ? formatTable(rows) : none });
}

async function disconnect({ organization = WHOLE_COMPANY, json, ...options }: PaymentOptions): Promise<void> {
  const { store } = await openAccount(options);
  const found = (await listPaymentProviders(store)).some(({ OrganizationId }) => OrganizationId === organization);
  const of = organization === WHOLE_COMPANY ? 'The company' : `Organization ${organization}`;
  if (!found) throw new CommandError(`${of} has no payment provider of its own.`);
  await writePaymentProviderRemoval(store, organization);
  print(
    { OrganizationId: organization || null, Disconnected: true },
    { json, text: `${of} is disconnected: no page takes payments by it, and its webhook is refused.` },
  );
}

const organizationOption = (command: Command): Command =>
  command.option('--organization <id>', 'one organization (default: the whole company)', recordId);

export const commands: readonly CliCommand[] = [
  {
    words: 'payments connect',
    description: 'Connect Stripe; asks for the secret key and the signing secret of the webhook',
    examples: ['npx fs payments connect --organization 3 --keys keys.txt'],
    takes: (command) => organizationOption(command).option('--keys <file>', 'read both of a file, a line each'),
    onTable: connect,
  },
  {
    words: 'payments show',
    description: 'Show what is connected, and what to set in the dashboard of Stripe',
    onTable: show,
  },
  {
    words: 'payments disconnect',
    description: 'Remove the keys of a provider',
    takes: organizationOption,
    onTable: disconnect,
  },
];
