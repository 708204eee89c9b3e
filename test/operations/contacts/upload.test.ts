import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_ANNOUNCED_BYTES, MAX_SENT_BYTES } from '../../../lib/domain/uploads/limits.ts';
import { openFiles } from '../../../lib/files/s3.ts';
import { layout } from '../../../lib/store/keys.ts';
import { contactIn, eventsOf } from '../../support/stack/branches.ts';
import { writeBook } from '../../support/price-book.ts';
import { pngPicture, randomFile } from '../../support/uploads.ts';
import {
  type CallOptions,
  type TestAccount,
  call,
  drainEvents,
  testAccount,
  testStack,
  testTable,
} from '../../support/stack/stack.ts';

let account: TestAccount;
let contactId: number;
beforeAll(async () => {
  account = await testAccount();
  contactId = contactIn(await account.call('contacts/addupdate', { Name: 'Photographed', Email: 'p@example.com' })).Id;
});

const png = pngPicture(40, 30);
const base64 = (content: Uint8Array | string) => Buffer.from(content).toString('base64');
const file = (Filename: string, content: Uint8Array | string, ContentType = '') => ({
  Filename,
  ContentType,
  Content: base64(content),
});

interface Uploaded {
  readonly upload: { readonly UploadIds: number[] };
  readonly UploadUrls: string[];
}

async function upload(files: object[], form: object = {}, options: CallOptions = {}) {
  const body = { upload: { ContactId: contactId, ...form }, files };
  const answer = await account.call('contacts/upload', body, options);
  return { ...answer, ids: (answer.body as unknown as Partial<Uploaded>).upload?.UploadIds ?? [] };
}

/** Calls with multipart/form-data, as `curl -F` does. */
async function uploadForm(parts: readonly [string, string | File][], operation = 'contacts/upload', key = account.key) {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const sent = new Response(form);
  const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
  return call(operation, new Uint8Array(await sent.arrayBuffer()), { key, headers });
}

const locate = async (id = contactId) => contactIn(await account.call('contacts/locate', { IdSearch: id }));

const get = (address: string, key = account.key) =>
  fetch(new URL(address, testStack().BaseUrl), { redirect: 'manual', headers: key ? { 'x-api-key': key } : {} });

/** The file as a browser gets it: from the redirect of its path. */
async function download(id: number) {
  const redirect = await get(`/files/${id}`);
  expect(redirect.status).toBe(303);
  const response = await get(redirect.headers.get('location') ?? '', '');
  return { response, content: Buffer.from(await response.arrayBuffer()) };
}

const inBucket = async (of = account) => {
  const { AwsEndpoint, Bucket } = testStack();
  const files = openFiles({ bucket: Bucket, endpoint: AwsEndpoint });
  return Promise.all(['incoming', 'uploads'].map((prefix) => files.list(`${prefix}/${of.accountId}/`)));
};

test('a photo of a form appears in the contact with its size, and is served as what it is', async () => {
  const answer = await uploadForm([
    ['ContactId', String(contactId)],
    ['Note', 'Before the work'],
    ['photo', new File([new Uint8Array(png)], '../a/Käfer "1".jpg', { type: 'text/html' })],
    ['files', new File(['plain'], 'notes.txt')],
  ]);
  expect([answer.status, answer.body]).toMatchObject([200, { ResultCode: 0, UploadUrls: [] }]);
  const { UploadIds: [picture = 0, document = 0] = [] } = (answer.body as unknown as Uploaded).upload;
  const { ContactPictures, ContactDocuments } = await locate();
  const common = { Notes: 'Before the work', AppointmentId: null };
  const [CreatedAt] = ContactPictures.map((each) => each.CreatedAt);
  const times = { CreatedAt, UpdatedAt: CreatedAt };
  const Filename = 'Käfer _1_.jpg';
  expect(ContactPictures).toEqual([{ Id: picture, Filename, Width: 40, Height: 30, ...common, ...times }]);
  expect(ContactDocuments).toEqual([{ Id: document, Filename: 'notes.txt', ...common, ...times }]);

  const { response, content } = await download(picture);
  expect(content.equals(png)).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="K_fer _1_.jpg"; filename*=UTF-8''K%C3%A4fer%20_1_.jpg`,
    'content-security-policy': expect.stringMatching(/sandbox/) as string,
  });
  expect((await download(document)).response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

test('a file becomes one event, the contact another, and it stays when it is copied from where it would expire', async () => {
  const of = await testAccount();
  const { Id } = contactIn(await of.call('contacts/addupdate', { Name: 'Eventful' }));
  const before = (await eventsOf(of)).length;
  const answer = await of.call('contacts/upload', { upload: { ContactId: Id }, files: [file('a.png', png)] });
  const [UploadId] = (answer.body as unknown as Uploaded).upload.UploadIds;
  await drainEvents();
  const kept = async () => (await inBucket(of))[1];
  await expect.poll(kept, { timeout: 5_000 }).toHaveLength(1);
  const events = (await eventsOf(of)).slice(before);
  expect(events).toMatchObject(
    [
      {
        Kind: 'upload.created',
        Id: UploadId,
        ContactId: Id,
        Data: { ContentType: 'image/png', Bytes: png.length, Path: `/files/${UploadId}` },
      },
      { Kind: 'contact.updated', Changed: ['ContactPictures'] },
    ].toSorted((a, b) => a.Kind.localeCompare(b.Kind) * (events[0]?.Kind === 'contact.updated' ? 1 : -1)),
  );
  expect(JSON.stringify(events)).not.toMatch(/Secret|Handle|IsKept/);
});

describe('a request', () => {
  test.each<[string, object[], object, number, RegExp]>([
    ['a program by its content', [file('photo.jpg', 'MZ\x90\0')], {}, 400, /photo\.jpg.* is a program/],
    ['a program by its name', [file('a.png', png), file('run.pdf.exe', 'x')], {}, 400, /run\.pdf\.exe/],
    ['HTML by its content', [file('a.txt', '\ufeff <!-- --><HTML><script>')], {}, 400, /a\.txt.* is HTML or SVG/],
    ['SVG by its name', [file('logo.svg', 'x')], {}, 400, /logo\.svg/],
    ['an empty file', [{ Filename: 'a.txt', Content: '' }], {}, 400, /files\[0\]\.Content is required, or Size/],
    ['text that is not base64', [{ Filename: 'a.txt', Content: '*' }], {}, 400, /files\[0\]\.Content must be base64/],
    ['no file', [], {}, 400, /^files is required/],
    ['an unknown tag', [file('a.png', png)], { TagIds: '999' }, 400, /TagIds names tag 999/],
    ['tags that are no ids', [file('a.png', png)], { TagIds: '1;2' }, 400, /must be ids of tags/],
    ['an unknown contact', [file('a.png', png)], { ContactId: 999_999 }, 404, /no contact 999999/],
    ['an unknown appointment', [file('a.png', png)], { AppointmentId: 9 }, 404, /no appointment 9/],
    ['a file that was never announced', [], { UploadIds: [999_999] }, 404, /no upload 999999/],
    ['more than one call takes', [file('a.txt', 'x'.repeat(4_500_010))], {}, 413, /For larger ones, send Size/],
    ['a file over 100 MB', [{ Filename: 'a.mp4', Size: 104_857_601 }], {}, 413, /files\[0\] is too large/],
    ['an unknown field', [file('a.png', png)], { ContctId: 1 }, 400, /ContctId/],
  ])('with %s is refused with a sentence and leaves nothing', async (_, files, form, status, message) => {
    const before = await inBucket();
    const answer = await upload(files, form);
    expect([answer.status, answer.body['Message']]).toEqual([status, expect.stringMatching(message)]);
    expect(await inBucket()).toEqual(before);
  });

  test.each<[string, Uint8Array | string, string, RegExp]>([
    ['a form without boundary', 'x', 'multipart/form-data', /must name the boundary/],
    [
      'a form that is cut off',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
      'multipart/form-data; boundary=b',
      /cut off/,
    ],
    ['a picture instead of a form', png, 'image/png', /takes multipart\/form-data or application\/json/],
  ])('of %s is 400 with a sentence', async (_, body, type, message) => {
    const answer = await account.call('contacts/upload', body, { headers: { 'content-type': type } });
    expect([answer.status, answer.body['Message']]).toEqual([400, expect.stringMatching(message)]);
  });

  test('may have its key in the header or before the files, and not two different ones', async () => {
    const parts = (key: string): [string, string | File][] => [
      ['ApiKey', key],
      ['upload', JSON.stringify({ ContactId: contactId })],
      ['a', new File(['a'], 'a.txt')],
    ];
    expect((await uploadForm(parts(account.key), 'contacts/upload', '')).status).toBe(200);
    expect((await uploadForm(parts('fs_other'), 'contacts/upload')).status).toBe(401);
    expect((await uploadForm(parts('').slice(1), 'contacts/upload', '')).status).toBe(401);
  });

  const rawForm = (operation: string, parts: readonly string[], key: string) => {
    const body = parts.map((part) => `--b\r\n${part}\r\n`).join('');
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    return call(operation, `${body}--b--\r\n`, { ...(key ? { key } : {}), headers });
  };
  const part = (name: string, value: string) => `Content-Disposition: form-data${name}\r\n\r\n${value}`;

  describe.each(['contacts/upload', 'proposal/upload'])('to %s', (operation) => {
    const form = () => part('; name="upload"', JSON.stringify({ ContactId: contactId, ProposalId: 1 }));

    test.each([
      ['a part without a name', ''],
      ['a part without a name, before others', '; foo="bar"'],
      ['a part with an empty name', '; name=""'],
      ['a part with a name of blanks', '; name="  "'],
    ])('with %s is 400 and says so', async (_, name) => {
      for (const parts of [[part(name, 'x')], [part(name, ''), form()], [form(), part(name, 'x')]]) {
        const answer = await rawForm(operation, parts, account.key);
        expect([answer.status, answer.body['Message']]).toEqual([400, expect.stringMatching(/has no name/)]);
      }
    });

    test.each([
      ['upload', () => [form(), part('; name="Note"', 'x'), form()]],
      ['upload.Note', () => [form(), part('; name="Note"', 'x'), part('; name="upload.Note"', 'y')]],
    ])('with a second part %s is 400, in any order of the parts', async (field, parts) => {
      const answer = await rawForm(operation, parts(), account.key);
      expect([answer.status, answer.body['Errors']]).toEqual([
        400,
        [{ Field: field, Code: 'duplicate', Message: 'must be sent only once' }],
      ]);
    });

    test('with two fields ApiKey is 401 where they differ, and read where they are equal', async () => {
      const keys = (...values: string[]) => values.map((value) => part('; name="ApiKey"', value));
      const other = await account.newKey();
      for (const values of [
        [account.key, other],
        [other, account.key],
        [account.key, 'x'],
      ]) {
        const answer = await rawForm(operation, [...keys(...values), form()], '');
        expect([answer.status, answer.body['Message']]).toEqual([401, expect.stringMatching(/ApiKey.*differ/)]);
        expect((await rawForm(operation, [...keys(...values), form()], account.key)).status).toBe(401);
      }
      expect((await rawForm(operation, [form(), ...keys(other)], account.key)).status).toBe(401);
      for (const values of [
        [account.key, account.key],
        ['', account.key],
      ])
        expect((await rawForm(operation, [...keys(...values), form()], '')).status).not.toBe(401);
    });
  });

  test('with an Idempotency-Key stores its files once, also when it is made twice at the same time', async () => {
    const of = await testAccount();
    const { Id } = contactIn(await of.call('contacts/addupdate', { Name: 'Once' }));
    const body = { upload: { ContactId: Id }, files: [file('a.png', png)] };
    const once = () => of.call('contacts/upload', body, { headers: { 'idempotency-key': 'same' } });
    const answers = await Promise.all([once(), once(), once()]);
    answers.push(await once());
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(contactIn(await of.call('contacts/locate', { IdSearch: Id })).ContactPictures).toHaveLength(1);
    const [incoming = []] = await inBucket(of);
    expect(incoming).toHaveLength(1);
  });

  test('beyond 200 files of a contact is 409, and tags are those of the contact', async () => {
    const { Id } = contactIn(await account.call('contacts/addupdate', { Name: 'Collector' }));
    const tags = await account.call('contacts/addtags', { ContactId: contactId, TagList: [{ Name: 'Photos' }] });
    const [tag] = tags.body['TagList'] as { Id: number }[];
    const files = Array.from({ length: 20 }, (_, index) => file(`${index}.txt`, 'x'));
    const form = { ContactId: Id, TagIds: `${tag?.Id}, ${tag?.Id}` };
    const table = testTable();
    const key = layout.contact.key({ account: account.accountId, id: Id });
    const many = Array.from({ length: 180 }, (_, index) => ({
      Id: 10_000 + index,
      Filename: 'a',
      Notes: '',
      AppointmentId: null,
      CreatedAt: '2026-01-01T00:00:00Z',
      UpdatedAt: '2026-01-01T00:00:00Z',
    }));
    await table.commit([{ update: key, set: { ContactDocuments: many }, add: { V: 1 } }]);
    expect((await upload(files, form)).status).toBe(200);
    expect((await locate(Id)).Tags).toEqual(['Photos']);
    const answer = await upload([file('one-more.txt', 'x')], form);
    expect([answer.status, answer.body['Message']]).toEqual([409, expect.stringMatching(/has 200 files.*at most 200/)]);
  });
});

describe('a file that its sender puts into the bucket', () => {
  const content = Buffer.concat([png, Buffer.alloc(5_000_000)]);
  const announce = async (Filename: string, Size: number) => {
    const { ids, body, status } = await upload([{ Filename, ContentType: 'image/png', Size }]);
    expect([status, body['Message']]).toEqual([200, expect.stringMatching(/Send each file by PUT/)]);
    const [url = ''] = (body as unknown as Uploaded).UploadUrls;
    const send = (bytes: Uint8Array) =>
      fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': 'image/png' } });
    return { id: ids[0] ?? 0, url, send };
  };
  const confirm = (id: number) => upload([], { UploadIds: [id] });

  test('is listed and served only when it is checked, is sent from the bucket if it is large, and stays what it was', async () => {
    const { id, url, send } = await announce('large.png', content.length);
    expect(url).toMatch(/X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost/);
    expect((await locate()).ContactPictures.map(({ Id }) => Id)).not.toContain(id);
    expect((await get(`/files/${id}`)).status).toBe(404);
    expect((await confirm(id)).body).toMatchObject({
      ResultCode: 409,
      Message: expect.stringMatching(/no content yet/) as string,
    });
    expect((await send(content)).status).toBe(200);
    const answer = await confirm(id);
    expect([answer.status, answer.ids]).toEqual([200, [id]]);
    expect((await locate()).ContactPictures).toContainEqual(expect.objectContaining({ Id: id, Width: 40, Height: 30 }));
    await send(Buffer.alloc(content.length));
    expect((await confirm(id)).status).toBe(200);

    const { response } = await download(id);
    expect(response.status).toBe(303);
    const address = response.headers.get('location') ?? '';
    expect(address).toMatch(/response-content-disposition=attachment/);
    const sent = await fetch(address);
    expect(Buffer.from(await sent.arrayBuffer()).equals(content)).toBe(true);
  });

  test('is refused by 429 where a key announces more than 10 GB a day, or an account more than 50', async () => {
    const other = await testAccount();
    const ContactId = contactIn(await other.call('contacts/addupdate', { Name: 'Sender' })).Id;
    const announceWith = (key: string, sizes: readonly number[]) => {
      const files = sizes.map((Size, index) => ({ Filename: `${index}.png`, ContentType: 'image/png', Size }));
      return other.call('contacts/upload', { upload: { ContactId }, files }, { key });
    };
    const [key, secondKey] = [await other.newKey({}), await other.newKey({})];
    const twoGigabytes = Array.from({ length: 20 }, () => MAX_SENT_BYTES);
    const statuses: number[] = [];
    for (let times = 0; times < 6; times++) statuses.push((await announceWith(key, twoGigabytes)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await announceWith(key, twoGigabytes);
    expect(refused.body).toMatchObject({
      Code: 'daily_limit',
      Message: expect.stringMatching(/^This key may announce files of 10,737,418,240 bytes a day/) as string,
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const day = layout.announcedBytes.key({ account: other.accountId, day: new Date().toISOString().slice(0, 10) });
    await testTable().update({ update: day, set: { Bytes: MAX_ANNOUNCED_BYTES.account - 100 } });
    const together = await Promise.all([announceWith(secondKey, [60]), announceWith(secondKey, [60])]);
    expect(together.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(together.map(({ body }) => body['Message'])).toContainEqual(
      expect.stringMatching(/^This account may announce files of 53,687,091,200 bytes a day/),
    );
  });

  test('is refused when it is a program, or has another size than announced', async () => {
    const program = await announce('photo.png', 100);
    await program.send(Buffer.concat([Buffer.from('MZ'), Buffer.alloc(98)]));
    expect((await confirm(program.id)).body).toMatchObject({
      ResultCode: 400,
      Message: expect.stringMatching(/photo\.png/) as string,
    });
    const short = await announce('photo.png', 100);
    await short.send(Buffer.alloc(99));
    expect((await confirm(short.id)).body).toMatchObject({ ResultCode: 409 });
  });
});

describe('a file', () => {
  test('exists for the keys of its organization and for roles that read its owner', async () => {
    const [{ ids }, { ids: others }] = [await upload([file('a.txt', 'a')]), await upload([file('b.txt', 'b')])];
    const path = `/files/${ids[0]}`;
    const statusFor = async (key: string) => (await get(path, key)).status;
    expect(await statusFor(await account.newKey({ role: 'ReadOnly' }))).toBe(303);
    expect(await statusFor(await account.newKey({ organizationId: 77 }))).toBe(404);
    expect(await statusFor((await testAccount()).key)).toBe(404);
    expect(await statusFor('')).toBe(401);
    const address = new URL((await get(path)).headers.get('location') ?? '');
    const changed = (name: string, value: string) => {
      const other = new URL(address);
      other.searchParams.set(name, value);
      return get(other.href, '');
    };
    expect((await changed('signature', 'x'.repeat(43))).status).toBe(403);
    expect((await changed('expires', '4000000000')).status).toBe(403);
    expect((await changed('account', 'other')).status).toBe(403);
    expect((await get(address.href.replace(path, `/files/${others[0]}`), '')).status).toBe(403);
    expect((await get(address.href, '')).status).toBe(200);
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
  });

  test('of a proposal is not listed with the contact, and its event names the proposal', async () => {
    await writeBook(account.accountId, { services: [{ Name: 'Windows', BasePrice: 80 }] });
    const request = { ContactId: contactId, ServiceName: 'Windows', Quantity: 1 };
    const { body } = await account.call('proposal/create', request);
    const ProposalId = body['Id'] as number;
    const answer = await uploadForm(
      [
        ['upload', JSON.stringify({ ProposalId, Note: 'Plan' })],
        ['plan', new File(['%PDF-1.7\n'], 'plan.pdf')],
      ],
      'proposal/upload',
    );
    expect([answer.status, answer.body['upload']]).toMatchObject([200, { ProposalId, Note: 'Plan' }]);
    const [id = 0] = (answer.body as unknown as Uploaded).upload.UploadIds;
    expect((await locate()).ContactDocuments.map(({ Id }) => Id)).not.toContain(id);
    expect((await download(id)).response.headers.get('content-type')).toBe('application/pdf');
    expect((await get(`/files/${id}`, await account.newKey({ role: 'Marketing' }))).status).toBe(404);
    const event = (await eventsOf(account)).find(({ Kind, Id }) => Kind === 'upload.created' && Id === id);
    expect(event).toMatchObject({ ContactId: contactId, Data: { ProposalId, Notes: 'Plan' } });
  });
});

test('calls at the same time never give a proposal more than 100 files', async () => {
  const request = { ContactId: contactId, ServiceName: 'Windows', Quantity: 1 };
  const ProposalId = (await account.call('proposal/create', request)).body['Id'] as number;
  const at = { account: account.accountId, id: ProposalId };
  await testTable().putMany(
    Array.from({ length: 95 }, (_, index) => ({
      ...layout.proposalFile.key({ ...at, upload: 5_000 + index }),
      Id: 5_000 + index,
    })),
  );
  const calls = Array.from({ length: 8 }, (_, index) =>
    account.call('proposal/upload', { upload: { ProposalId }, files: [file(`${index}.txt`, 'x')] }),
  );
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 409, 409, 409]);
  const { body } = await account.call('proposal/upload', { upload: { ProposalId }, files: [file('a.txt', 'x')] });
  expect(body['Message']).toMatch(/has 100 files.*at most 100/);
});

/** Types that a browser may show without running anything, by the first bytes that they must have. */
const starts: Readonly<Record<string, RegExp>> = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/png': /^\x89PNG\r\n/,
  'image/apng': /^\x89PNG\r\n/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[^]{4}WEBP/,
  'application/pdf': /^[^]{0,4}%PDF/,
};

test('random bytes with lying names and types are never a 500, and never served as what they are not', async () => {
  const runs = Number(process.env['UPLOAD_RUNS'] ?? 8);
  const of = await testAccount();
  await fc.assert(
    fc.asyncProperty(fc.array(randomFile, { minLength: 1, maxLength: 4 }), async (files) => {
      const { Id } = contactIn(await of.call('contacts/addupdate', { Name: `Random ${Math.random()}` }));
      const sent = files.map(({ name, type, content }) => file(name, content, type));
      const answer = await of.call('contacts/upload', { upload: { ContactId: Id }, files: sent });
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 400) return;
      const { ContactPictures } = contactIn(await of.call('contacts/locate', { IdSearch: Id }));
      for (const [index, id] of (answer.body as unknown as Uploaded).upload.UploadIds.entries()) {
        const location = (await get(`/files/${id}`, of.key)).headers.get('location') ?? '';
        const response = await get(location, '');
        const content = Buffer.from(await response.arrayBuffer());
        expect(content.equals(Buffer.from(files[index]?.content ?? []))).toBe(true);
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[ -~]+"/);
        const type = response.headers.get('content-type') ?? '';
        expect(type).not.toMatch(/html|svg|xml$|script/);
        const start = starts[type];
        if (start) expect(content.toString('latin1')).toMatch(start);
        const picture = ContactPictures.find((each) => each.Id === id);
        if (picture) expect(type).toMatch(/^image\//);
      }
    }),
    { numRuns: runs },
  );
});
