-- So many players with a result of one day each. A third have won, the others got stuck somewhere,
-- most of them late; times are about three minutes, from one to fifteen, and counted in tenths of a
-- second, so that many results are equal. Of those who have won a part, the crowd, are quicker than
-- all others and within four seconds.
INSERT INTO accounts_user (username, name_key, password, is_superuser, first_name, last_name, email,
                           is_staff, is_active, date_joined, is_guest)
SELECT 'player' || n, 'player' || n, '', false, '', '', '', false, true, now(), false
FROM generate_series(1, %(players)s) AS n
ON CONFLICT DO NOTHING;

INSERT INTO game_game (id, rules_key, kind, tier, counted, started_at, closes_at, status, version,
                       changed, position, line, seen, removed, moves, undos, hints, checks,
                       elapsed_ms, deal_id, player_id, label, label_before, label_after, aftermath,
                       last_entry_at)
SELECT gen_random_uuid(), 'classic', 'daily', '', true, now(), now(), 'lost', 0, 0, '', '', 0, 0, 0,
       0, 0, 0, 0, %(deal)s, id, '', '', '', '{}', now()
FROM accounts_user WHERE username LIKE 'player%%';

INSERT INTO leaderboards_dailyresult (daily_id, player_id, game_id, won, removed, assisted,
                                      elapsed_ms, moves, undos, suspect, withdrawn)
SELECT %(daily)s, player_id, id, won,
       CASE WHEN won THEN 28 ELSE floor(28 * sqrt(random())) END,
       random() < 0.15,
       100 * floor(CASE WHEN won AND random() < %(crowd)s THEN 500 + 40 * random()
                   ELSE 300 + 1500 * exp(1.2 * (random() + random() + random() - 1.5)) END),
       CASE WHEN won THEN 40 + floor(25 * random()) ELSE 10 + floor(60 * random()) END,
       floor(6 * random()), false, false
FROM (SELECT id, player_id, random() < 0.33 AS won FROM game_game
      WHERE deal_id = %(deal)s) AS played
WHERE player_id <= (SELECT max(id) FROM accounts_user) - %(to_come)s;

INSERT INTO leaderboards_standing (board_id, player_id, key, assisted, changed_at)
SELECT %(board)s, player_id,
       (((won::int::bigint << 5 | removed) << 1 | (NOT assisted)::int) << 28
        | ((1 << 28) - 1 - elapsed_ms)) << 18 | ((1 << 18) - 1 - moves),
       assisted, now() - interval '1 hour'
FROM leaderboards_dailyresult WHERE daily_id = %(daily)s;
