import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Names, findByNames, namesAgree, sharedMailbox } from '../../../lib/domain/contacts/same-person.ts';
import { someContact } from '../../support/contacts.ts';

const blank: Names = { Name: '', Nickname: '', Company: '' };
const ann = { Name: 'Ann Lee' };

describe('two contacts with one e-mail are the same person', () => {
  test.each<[string, Partial<Names>, Partial<Names>]>([
    ['the same name', ann, { Name: 'Ann Lee' }],
    ['the same name in another case', ann, { Name: 'ANN LEE' }],
    ['the same name without accents', { Name: 'José Núñez' }, { Name: 'Jose Nunez' }],
    ['the same name in another order', ann, { Name: 'Lee, Ann' }],
    ['the family name first', { Name: 'Kovács Anna' }, { Name: 'Anna Kovacs' }],
    ['a name of another script', { Name: '李 安' }, { Name: '李 安' }],
    ['the first name alone', ann, { Name: 'Ann' }],
    ['the last name alone', ann, { Name: 'Mrs. Lee' }],
    ['an initial and the last name', ann, { Name: 'A. Lee' }],
    ['the first name and an initial', ann, { Name: 'Ann L.' }],
    ['another last name', ann, { Name: 'Ann Smith' }],
    ['another first name', { Name: 'William Lee' }, { Name: 'Bill Lee' }],
    ['a name in the middle', ann, { Name: 'Ann Marie Lee' }],
    ['a title and a suffix', ann, { Name: 'Dr. Ann Lee, Jr.' }],
    ['one of a couple', { Name: 'Ann & Bob Lee' }, { Name: 'Bob Ray' }],
    ['the nickname as name', { ...ann, Nickname: 'Nan' }, { Name: 'Nan' }],
    ['the same nickname', { Name: 'Margaret Lee', Nickname: 'Peg' }, { Name: 'Peggy Ray', Nickname: 'PEG' }],
    ['the same company', { Name: 'Ann Lee', Company: 'Acme, Inc.' }, { Name: 'Bob Ray', Company: 'ACME' }],
    ['a company as name', { Company: 'Acme' }, { Name: 'Acme Inc' }],
    ['no name in one', ann, {}],
    ['a nickname and no name in one', ann, { Nickname: 'Nan' }],
    ['a company and no name in one', ann, { Company: 'Acme' }],
    ['no name in both', {}, {}],
    ['a person of a company without a person', { Company: 'Acme' }, ann],
    ['the same name of a place', { Name: 'Unit 12' }, { Name: 'UNIT 12' }],
  ])('%s', (_, one, other) => {
    expect(namesAgree({ ...blank, ...one }, { ...blank, ...other })).toBe(true);
  });
});

describe('two contacts with one e-mail are two', () => {
  test.each<[string, Partial<Names>, Partial<Names>]>([
    ['another name', ann, { Name: 'Bob Ray' }],
    ['a first name that is the last name of the other', { Name: 'James Taylor' }, { Name: 'Taylor Swift' }],
    ['only an initial in common', { Name: 'A. Lee' }, { Name: 'A. Ray' }],
    ['only a title in common', { Name: 'Mr. Lee' }, { Name: 'Mr. Ray' }],
    ['only a suffix in common', { Name: 'Ann Lee Jr' }, { Name: 'Bob Ray Jr' }],
    ['another number', { Name: 'Unit 12' }, { Name: 'Unit 14' }],
    ['another company', { Company: 'Acme' }, { Company: 'Bolt' }],
    ['another company, and a person in one', { ...ann, Company: 'Acme' }, { Company: 'Bolt' }],
    ['another name and company', { ...ann, Company: 'Acme' }, { Name: 'Bob Ray', Company: 'Bolt' }],
    ['another name, and a company in one', ann, { Name: 'Bob Ray', Company: 'Acme' }],
    ['only a word of companies in common', { Company: 'Acme Inc' }, { Company: 'Bolt Inc' }],
  ])('%s', (_, one, other) => {
    expect(namesAgree({ ...blank, ...one }, { ...blank, ...other })).toBe(false);
  });
});

const word = fc.constantFrom('Ann', 'Bob', 'Lee', 'Ray', 'José', 'Dr.', 'A.', 'Unit', '12', '&', 'and', ',', '李', '');
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const names = fc.record<Names>({ Name: text, Nickname: text, Company: text });

test('names agree in both directions, with themselves, with none, and whatever their case', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      expect(namesAgree(one, other)).toBe(namesAgree(other, one));
      expect(namesAgree(one, one)).toBe(true);
      expect(namesAgree(one, blank)).toBe(true);
      const upper = { Name: one.Name.toUpperCase(), Nickname: one.Nickname, Company: one.Company.toUpperCase() };
      expect(namesAgree(upper, other)).toBe(namesAgree(one, other));
    }),
  );
});

test('people of whom no word is the same are two, whatever else they have', () => {
  const first = fc.array(fc.constantFrom('Ann', 'Lee', 'Mary'), { minLength: 1, maxLength: 3 });
  const second = fc.array(fc.constantFrom('Bob', 'Ray', 'Cid'), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(first, second, (one, other) => {
      const [a, b] = [one, other].map((words) => ({ ...blank, Name: words.join(' ') })) as [Names, Names];
      expect(namesAgree(a, b)).toBe(false);
      expect(namesAgree({ ...a, Company: 'Acme' }, { ...b, Company: 'Bolt' })).toBe(false);
    }),
  );
});

describe('of several contacts with one e-mail', () => {
  const of = (...all: string[]) => all.map((Name) => ({ ...blank, Name }));
  test.each<[string, string[], string[]]>([
    ['Ann Lee', ['Ann Lee', 'Bob Lee', ''], ['Ann Lee']],
    ['Ann', ['Ann Lee', 'Bob Ray', ''], ['Ann Lee']],
    ['Cid Moe', ['Ann Lee', ''], ['']],
    ['Cid Moe', ['Ann Lee', 'Bob Ray'], []],
    ['Lee', ['Ann Lee', 'Bob Lee'], ['Ann Lee', 'Bob Lee']],
    ['', ['Ann Lee', 'Bob Ray'], ['Ann Lee', 'Bob Ray']],
  ])('%j is, among %j, %j', (name, known, expected) => {
    expect(findByNames({ ...blank, Name: name }, of(...known))).toEqual(of(...expected));
  });
});

test('a remark names the contacts that share the e-mail, and how many more', () => {
  const contact = (id: number, Name: string) => someContact(id, { Name });
  const [bob, ...others] = [9, 7, 6, 5, 4, 3].map((id) => contact(id, `Person ${id}`));
  const remark = (count: number) => sharedMailbox(bob as never, others.slice(0, count));
  expect([0, 1, 2, 3, 5].map(remark)).toEqual([
    '',
    'Contact 9 (Person 9) is new: contact 7 (Person 7) has the same e-mail, but another name.',
    'Contact 9 (Person 9) is new: contacts 7 (Person 7) and 6 (Person 6) have the same e-mail, but other names.',
    'Contact 9 (Person 9) is new: contacts 7 (Person 7), 6 (Person 6) and 5 (Person 5) have the same e-mail, but other ' +
      'names.',
    'Contact 9 (Person 9) is new: contacts 7 (Person 7), 6 (Person 6), 5 (Person 5) and 2 more have the same e-mail, ' +
      'but other names.',
  ]);
});
