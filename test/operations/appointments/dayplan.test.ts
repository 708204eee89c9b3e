import { describe, expect, it } from 'vitest';
import { DAY, NORTH, SOUTH, at, crossTown, planIn } from '../../support/day-plans.ts';
import { slotIn } from '../../support/scheduling.ts';

const timeOf = async (company: Awaited<ReturnType<typeof crossTown>>, id: number): Promise<string> =>
  slotIn(await company.call('appointments/find', { AppointmentId: id })).DateTime.slice(0, 16);

describe('appointments/dayplan', () => {
  it('proposes an order with less driving, and changes nothing', async () => {
    const company = await crossTown();
    const plan = await company.plan();
    expect(plan.DriveMinutesAfter).toBeLessThan(plan.DriveMinutesBefore);
    expect(plan.Moves).toBeGreaterThan(0);
    expect(plan.IsApplied).toBe(false);
    expect(await Promise.all(company.visits.map((id) => timeOf(company, id)))).toEqual(
      ['09:00', '11:00', '13:00', '15:00'].map(at),
    );
    console.log(JSON.stringify(plan, null, 1));
  });

  it('applies what it proposed, and goes back by Undo', async () => {
    const company = await crossTown();
    const proposed = await company.plan();
    const applied = await company.plan({ Apply: true, Revision: proposed.Revision });
    expect(applied.IsApplied).toBe(true);
    expect(applied.Agents[0]?.After).toEqual(proposed.Agents[0]?.After);
    for (const { AppointmentId, DateTime } of proposed.Agents[0]?.After ?? [])
      expect(await timeOf(company, AppointmentId)).toBe(DateTime.slice(0, 16));
    const undone = await company.plan({ Apply: true, Revision: applied.Undo });
    expect(undone.IsApplied).toBe(true);
    expect(await Promise.all(company.visits.map((id) => timeOf(company, id)))).toEqual(
      ['09:00', '11:00', '13:00', '15:00'].map(at),
    );
  });
});
void [DAY, NORTH, SOUTH, planIn];
