import * as z from 'zod';
import {
  type Output,
  boundedArray,
  code,
  decimal,
  described,
  double,
  field,
  flag,
  id,
  inputs,
  int32,
  many,
  month,
  nullable,
  resource,
  text,
  year,
} from './fields.ts';

const budgetType = () => code(['monthly', 'yearly']);

/** The budget of a campaign for a month, or for a year (Month null). */
export const CampaignBudget = resource('CampaignBudget', () => ({
  Budget: decimal(),
  Type: budgetType(),
  Year: year(),
  Month: nullable(month()),
}));
export type CampaignBudget = Output<typeof CampaignBudget>;

/** The actual cost of a campaign in a month. */
export const CampaignActual = resource('CampaignActual', () => ({
  Amount: decimal(),
  Year: year(),
  Month: month(),
  InvoiceUrl: text(2048),
}));
export type CampaignActual = Output<typeof CampaignActual>;

export const Campaign = resource('Campaign', () => ({
  Id: id(),
  Name: text(200),
  Description: text(),
  Active: flag(),
  CampaignBudgets: many(CampaignBudget),
  CampaignActuals: many(CampaignActual),
}));
export type Campaign = Output<typeof Campaign>;

/** A marketing channel; also a category of lead sources, without campaigns. */
export const Channel = resource('Channel', () => ({
  Id: id(),
  Name: text(200),
  Description: text(),
  Campaigns: many(Campaign),
}));
export type Channel = Output<typeof Channel>;

/** A row of channels/bulkupdate. Without CampaignId the campaign is found by CampaignName, or created. */
export const CampaignUpdate = resource('CampaignUpdate', () => ({
  ChannelId: id(),
  CampaignId: nullable(id()),
  CampaignName: text(200),
  Year: year(),
  Month: month(),
  BudgetAmount: nullable(decimal()),
  // Invalid rows are returned as they were sent.
  BudgetType: nullable(described(int32(), '0 monthly, 1 yearly.')),
  ActualAmount: nullable(decimal()),
  InvoiceUrl: text(2048),
  Results: described(text(1000), 'In the answer: Created, Updated, or the reason for a failure.'),
}));
export type CampaignUpdate = Output<typeof CampaignUpdate>;

/** Checks types only. A value out of range fails its own row, with a message in Results, and no other row. */
const looseRow = () => ({
  ...CampaignUpdate.shape(),
  ChannelId: int32(),
  CampaignId: nullable(int32()),
  CampaignName: text(),
  Year: int32(),
  Month: int32(),
  BudgetAmount: nullable(double()),
  BudgetType: nullable(described(int32(), '0 monthly, 1 yearly.')),
  ActualAmount: nullable(double()),
  InvoiceUrl: text(),
});

export const campaignUpdates = () => {
  const row = z.strictObject(inputs(looseRow()), 'must be an object');
  return field(many(CampaignUpdate).output, boundedArray(row, 1000));
};
