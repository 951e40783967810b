-- What a member has reached in each window of a streak; null for other challenges. Bounded (src/rules/streaks.ts).
alter table challenge_progress add column streak json;

grant update (streak) on challenge_progress to rewards_app;
