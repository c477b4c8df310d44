<?php

final class Cart {}
