-- Codes of pools are made by management: it stores their hashes, with a secret of the environment that it makes first.
grant select, insert on coupon_codes to rewards_operator;
grant update (coupon_secret) on environments to rewards_operator;
