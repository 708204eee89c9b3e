import { expect, test } from 'vitest';
import { blankInvoice } from '../../../lib/domain/invoices/record.ts';
import type { InvoiceRecord } from '../../../lib/entities/invoices.ts';
import type { DataSubscriberEvent } from '../../../lib/resources/events.ts';
import { layout } from '../../../lib/store/keys.ts';
import { invoiceChanges } from '../../../lib/store/sales/invoices.ts';
import { downloadRows } from '../../support/download-rows.ts';
import { drainEvents, testAccount, testTable } from '../../support/stack/stack.ts';

/** Changes before, during and behind the snapshot, each; by lanes, each of which changes invoices of its own. */
const [CHANGES, LANES] = [Number(process.env['SNAPSHOT_CHANGES'] ?? 300), 20];

test('a new subscriber that begins now, downloads and applies what follows has all that was changed before, during and after', async () => {
  const account = await testAccount();
  const { accountId } = account;
  const key = await account.newKey({ role: 'DataSubscriber', subscriber: 'mirror' });
  const lastId = { ...layout.lease.key({ account: accountId, kind: 'Invoice' }), Last: LANES * 5 };
  await testTable().putMany([lastId]);
  const invoices = new Map<number, InvoiceRecord>();

  /** Makes or changes one of the five invoices of the lane. */
  async function change(lane: number, number: number): Promise<void> {
    const Id = 1 + lane + LANES * (number % 5);
    const before = invoices.get(Id);
    const now = new Date();
    const identity = { Id, OrganizationId: 1, ContactId: 1, Number: `${Id}`, Zone: 'UTC', Created: now.getTime() };
    const after = { ...(before ?? blankInvoice(identity)), Terms: `change ${number}` };
    const { record, changes } = invoiceChanges({ account: accountId }, { before, after, now });
    await testTable().commit(changes);
    invoices.set(Id, record);
  }
  async function changeAll(from: number): Promise<void> {
    const numbers = Array.from({ length: CHANGES / LANES }, (_, index) => from + index);
    const changeLane = async (lane: number) => {
      for (const number of numbers) await change(lane, number);
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => changeLane(lane)));
  }
  const fetch = async (body: object) => {
    const answer = await account.call('datasubscriber/fetch', body, { key });
    expect(answer.status, answer.text).toBe(200);
    return { events: answer.body['Events'] as DataSubscriberEvent[], left: answer.body['EventCount'] as number };
  };

  await changeAll(0);
  // Changes that the stream brings only now may be among them, and are fetched again below.
  expect((await fetch({ From: 'now' })).events.length).toBeLessThan(CHANGES);
  const [rows] = await Promise.all([downloadRows(account, { Kind: 'invoices' }), changeAll(CHANGES)]);
  const mirror = new Map((rows as InvoiceRecord[]).map(({ Id, Terms }) => [Id, Terms]));
  await changeAll(2 * CHANGES);
  await drainEvents();

  let through = 0;
  for (let page = await fetch({ EventCount: 500 }); page.left; page = await fetch({ ClearThroughId: through })) {
    for (const { Id, Payload } of page.events) {
      mirror.set(Payload?.Id ?? 0, String(Payload?.Data?.['Terms']));
      through = Id;
    }
  }
  const truth = [...invoices.values()].map(({ Id, Terms }) => [Id, Terms] as const);
  expect(truth.length).toBe(LANES * 5);
  expect(mirror).toEqual(new Map(truth));
  expect(through).toBe(3 * CHANGES);
});
