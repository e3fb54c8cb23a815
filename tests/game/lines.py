"""Games that were found by playing at random: the deal and the line, by rule set."""

WON = {
    "classic": (
        4,
        (
            "7D6D 4C9S 7C6C 3HTH KC d d d 2SJC d d d 6H7S d d TC3S 4H9H ASQD 8S5C KD 9C4D d d d "
            "JH2H d TS3D 4S9D QHAH KS d ADQC"
        ),
    ),
    "blind": (
        4,
        (
            "7D6D 4C9S 7C6C 3HTH KC d d d 2SJC d d d 6H7S d d TC3S 4H9H ASQD 8S5C KD 9C4D d d d "
            "JH2H d TS3D 4S9D QHAH KS d ADQC"
        ),
    ),
    "open": (
        95,
        (
            "KD QHAC 8S5C 9S4S ADQD 7C6H 4C9H JD2H JC2D ASQS d TD3S 4D9C d d 2SJH d d d 5H8C KC KS "
            "TH3D 6C7H d d d d d 2CJS d 7S6S"
        ),
    ),
    "open-2": (
        95,
        (
            "KD QHAC 8S5C 9S4S ADQD 7C6H 4C9H JD2H JC2D ASQS d TD3S 4D9C d d 2SJH d d d 5H8C KC KS "
            "TH3D 6C7H d d d d d 2CJS d 7S6S"
        ),
    ),
    "open-1": (
        4,
        (
            "7D6D 4C9S d 7C6C 3HTC d 2SJC 4H9H d d 6H7S ASQD 8S5C 9C4D d TH3S KC KD d d JH2H TS3D "
            "4S9D QHAH KS ADQC"
        ),
    ),
    "overlap": (
        196,
        (
            "JD2C QCAS 5C8H 3DTH QDAC KC 5S8S KH 4H9D d d d JC2S 6C7D KD d JS2H 5H8C QSAH KS JH2D "
            "6H7C 4D9H 7H6D"
        ),
    ),
    "overlap-1": (
        196,
        (
            "JD2C QCAS 5C8H 3DTH QDAC KC 5S8S KH 4H9D d d d JC2S 6C7D KD d JS2H 5H8C QSAH KS JH2D "
            "6H7C 4D9H 7H6D"
        ),
    ),
    "strict": (
        226,
        (
            "8D5C KD d d d TD3C d d JC2S KC KH 5D8H 3STH d 7D6H 9H4D QDAH 7C6S JD2H TC3D 2CJS 8C5H "
            "QHAD JH2D 9D4S 9C4H QSAS 6D7S 8S5S KS QCAC TS3H 6C7H 9S4C"
        ),
    ),
}

# Deal 10 in `classic`: the second move locks 9H, whose partners 4C, 4D and 4H then lie under it.
LOCKING = (10, "KC 4S9C")

# Deal 29 in `classic`: 3C lies over all four tens.
LOCKED_SINCE_START = 29

# Deal 3 in `classic` can be won until the last of these moves: the way of each is then shut.
LOSING = (3, "KC QSAH d d d d d d d d d d d 2CJH")
