import { type Output, described, many } from '../resources/fields.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import type { ObjectOf } from './declaration/field.ts';
import { decimal, id, listOf, moment, number, text } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** The leads of a month that came by one channel. */
export const channelLeads = {
  Channel: text({ max: 200, resource: true, description: '`""` for leads without a channel.' }),
  Leads: number({ min: 0, resource: true }),
};
export type ChannelLeads = ObjectOf<typeof channelLeads>;

/** The figures of an organization in a month, as they were counted from its records. */
export const monthFiguresEntity = entity('MonthFigures', {
  OrganizationId: id({ resource: true }),
  Month: text({ max: 7, required: true, resource: true, description: 'Such as `2026-11`.' }),
  CountedAt: moment({ required: true, resource: true, description: 'As of when.' }),
  Revenue: decimal({
    resource: true,
    description: 'The Subtotal, without tax, of the Open and Paid invoices dated in the month.',
  }),
  Visits: number({ min: 0, resource: true, description: 'Dated in the month, without Queued and Canceled ones.' }),
  Proposals: number({ min: 0, resource: true, description: 'Dated in the month, without Internal ones.' }),
  AcceptedProposals: number({
    min: 0,
    resource: true,
    description: 'Those of them that are Accepted, Scheduled, Complete or Invoiced now.',
  }),
  Leads: number({ min: 0, resource: true, description: 'Contacts that were added in the month.' }),
  LeadsByChannel: listOf(channelLeads),
});
export type MonthFiguresRecord = RecordOf<typeof monthFiguresEntity>;

/** Where the count of a night stands: the organization that was counted last. */
export const figuresProgressEntity = entity('FiguresProgress', {
  /** Days since 1970; 0 before the first night. */
  Night: number(),
  /** `""` after the last organization of the last account. */
  Account: text(),
  OrganizationId: id({ absent: 0 }),
});
export type FiguresProgress = RecordOf<typeof figuresProgressEntity>;

export const ChannelLeads = /* @__PURE__ */ resourceOf({ name: 'ChannelLeads', declared: channelLeads });

export const MonthFigures = /* @__PURE__ */ resourceOf(monthFiguresEntity, { title: 'MonthFigures' }, () => ({
  LeadsByChannel: described(many(ChannelLeads), 'The most frequent channels, at most 50.'),
}));
export type MonthFigures = Output<typeof MonthFigures>;
