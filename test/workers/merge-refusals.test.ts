import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../lib/store/keys.ts';
import { expectFailure } from '../support/failed.ts';
import { mergesOf } from '../support/merges.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';

const DAY = 86_400_000;
let company: TestAccount;
let merges: ReturnType<typeof mergesOf>;
let names = 0;
beforeAll(async () => {
  company = await testAccount();
  merges = mergesOf(company);
});

const newContact = () => merges.add({ Name: 'Ann', Email: `ann${++names}@example.com` });
const merge = (ContactId: number, MergeId: number) => company.call('contacts/merge', { ContactId, MergeId });
const unmerge = (MergeId: number) => company.call('contacts/unmerge', { MergeId });
const mergeAll = async (ContactId: number, MergeId: number): Promise<void> => {
  await merges.send('contacts/merge', { ContactId, MergeId });
  await merges.finish(ContactId, MergeId, 0);
};
const refusal = async (call: ReturnType<typeof merge>): Promise<unknown> => {
  const answer = await call;
  expectFailure(answer, 409);
  return answer.body['Message'];
};
const store = (id: number, set: Record<string, unknown>) =>
  testTable().commit([
    { update: layout.contact.key({ account: company.accountId, id }), set, add: { V: 1 }, if: 'present' },
  ]);

describe('two contacts are not merged that have together', () => {
  const numbers = (count: number, from: number) => Array.from({ length: count }, (_, index) => from + index);
  test.each<[string, (from: number) => Record<string, unknown>, string]>([
    [
      'more files than a contact may have',
      (from) => ({ ContactPictures: numbers(101, from).map((Id) => ({ Id, Filename: 'a.jpg' })) }),
      'The two contacts have 202 files. A contact has at most 200 and 100,000 bytes in all.',
    ],
    [
      'more pages of notes than a contact may have',
      () => ({ NotePages: 41 }),
      'The notes of the two contacts are too many: the notes of a contact have about 3,840,000 characters at most.',
    ],
    [
      'larger fields than a contact may have',
      (from) => ({ CustomFields: [{ Id: from, Value: 'x'.repeat(110_000) }] }),
      'The fields of the two contacts make the contact too large: at most 200000 bytes besides its notes.',
    ],
  ])('%s', async (_, more, sentence) => {
    const [kept, merged] = [await newContact(), await newContact()];
    await store(kept.Id, more(1));
    await store(merged.Id, more(1_000));
    expect(await refusal(merge(kept.Id, merged.Id))).toBe(sentence);
    expect((await merges.locate(merged.Id)).Id).toBe(merged.Id);
  });
});

test('a merge or undo waits for the one before it', async () => {
  const [one, two, three] = [await newContact(), await newContact(), await newContact()];
  await merges.send('contacts/merge', { ContactId: two.Id, MergeId: one.Id });
  expect(await refusal(merge(three.Id, two.Id))).toBe(
    `The records of contact ${one.Id} are still on their way to contact ${two.Id}. Try again in two minutes.`,
  );
  await merges.send('contacts/unmerge', { MergeId: one.Id });
  expect(await refusal(merge(two.Id, one.Id))).toBe(
    `The merge of contact ${one.Id} into contact ${two.Id} is being undone. Try again in a minute.`,
  );
  expect(await refusal(unmerge(one.Id))).toBe(`Contact ${one.Id} is not merged.`);
  await merges.finish(two.Id, one.Id, 0);
  await mergeAll(two.Id, one.Id);
  expect((await merges.locate(one.Id)).Id).toBe(two.Id);
});

test('a contact that was merged, into one that was merged, is the last one for ever, and is undone from the last on for 30 days', async () => {
  const [one, two, three] = [await newContact(), await newContact(), await newContact()];
  await mergeAll(two.Id, one.Id);
  await mergeAll(three.Id, two.Id);
  for (const { Id, Hash } of [one, two]) {
    expect((await merges.locate(Id)).Id).toBe(three.Id);
    expect((await merges.add({ Hash, Nickname: `By ${Id}` })).Id).toBe(three.Id);
    expect(await refusal(merge(three.Id, Id))).toMatch(/already\.$/);
  }
  const { TaskId } = await merges.send('task/create', { ContactId: one.Id, Description: 'By the first Id' });
  const { Tasks } = await merges.send('task/query', { ContactId: three.Id });
  expect((Tasks as { Id: number }[]).map(({ Id }) => Id)).toEqual([TaskId]);
  expect(await refusal(merge(two.Id, three.Id))).toBe(
    `Contact ${two.Id} is merged into contact ${three.Id}. Send that one as ContactId.`,
  );
  expect(await refusal(unmerge(one.Id))).toBe(
    `Contact ${two.Id} has been merged into contact ${three.Id} since. Undo that merge first.`,
  );
  const key = layout.contactMerge.key({ account: company.accountId, id: three.Id, merged: two.Id });
  const started = async (days: number) =>
    testTable().commit([{ update: key, set: { StartedAt: Date.now() - days * DAY }, if: 'present' }]);
  await started(30.01);
  expect(await refusal(unmerge(two.Id))).toBe(`The merge of contact ${two.Id} is older than 30 days and stays.`);
  expect((await merges.locate(one.Id)).Id).toBe(three.Id);
  await started(29.99);
  await merges.send('contacts/unmerge', { MergeId: two.Id });
  await merges.finish(three.Id, two.Id, 0);
  expect((await merges.locate(one.Id)).Id).toBe(two.Id);
  await merges.send('contacts/unmerge', { MergeId: one.Id });
  await merges.finish(two.Id, one.Id, 0);
  expect([(await merges.locate(one.Id)).Id, (await merges.locate(two.Id)).Id]).toEqual([one.Id, two.Id]);
});
